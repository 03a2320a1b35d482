"""A report in a real browser, with everything it did that it should not have done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from fidelean.report.html.proof_view import ProofResult

if TYPE_CHECKING:
    from playwright.sync_api import Page

Scheme = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class OpenedReport:
    """A report that is open."""

    page: Page
    requests: list[str] = field(default_factory=list[str])
    complaints: list[str] = field(default_factory=list[str])

    def listen(self) -> None:
        """Note requests that leave the file, and whatever the console hears."""
        self.page.on("request", lambda request: self._note(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, address: str) -> None:
        if not address.startswith(("file:", "data:")):
            self.requests.append(address)


class OpenReport(Protocol):
    """Writes a report on results and opens it."""

    def __call__(self, *results: ProofResult, scheme: Scheme = "light", width: int = 1280, scripts: bool = True) -> OpenedReport: ...
