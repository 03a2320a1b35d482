"""The searcher over an index on this machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from fidelean.errors import SetupError
from fidelean.lean.library.building import FORM
from fidelean.lean.library.records import Declaration, Hit
from fidelean.lean.library.wording import question_words, trigrams

__all__ = ["LibraryIndex", "default_index"]

_COLUMNS = "d.name, d.kind, d.module, d.line, d.signature, d.doc"
_RARE_GRAMS = 5
_NEAR = 400
_CLOSE = 40
_CANDIDATES = 60
_LEFT_OUT = 0.8
"""What the score of a declaration is worth for each word left out."""
_LONGEST_QUERY = 400


def default_index() -> Path:
    """Where the index is kept unless a file is named: in the cache folder."""
    from fidelean.lean.installation import cache_folder

    return cache_folder() / "library.sqlite"


class LibraryIndex:
    """A ``LibrarySearch`` over a file that ``build_index`` wrote. Raises ``SetupError`` where there is none."""

    def __init__(self, path: Path) -> None:
        try:
            self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            form = self._connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            raise SetupError(f"no library index at {path} ({error}): run `fidelean library build SOURCE`") from None
        if form != FORM:
            self._connection.close()
            raise SetupError(f"{path} is no library index of this version: run `fidelean library build SOURCE`")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def show(self, name: str) -> list[Declaration]:
        """See ``LibrarySearch``."""
        return self._where("d.name = ?", name)

    def resolve(self, name: str, opened: Sequence[str] = ()) -> list[Declaration]:
        """See ``LibrarySearch``: the name itself, then below each open namespace in the order given."""
        if name.startswith("_root_."):
            return self.show(name.removeprefix("_root_."))
        return [one for full in dict.fromkeys([name, *(f"{space}.{name}" for space in opened)]) for one in self.show(full)]

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """See ``LibrarySearch``. One word is looked for as a name first, then as nearly a name; several are looked for as words."""
        query = " ".join(query.split())[:_LONGEST_QUERY]
        hits: list[Hit] = []
        if " " not in query:
            hits += [Hit(one, "exact") for one in self.show(query)]
            hits += [Hit(one, "name") for one in self._where("d.lower = ?", query.lower())]
            hits += [Hit(one, "fuzzy") for one in self._fuzzy(query)[:limit]] if not hits else []
        if len(hits) < limit:
            hits += [Hit(one, "words") for one in self._words(question_words(query), limit)]
        return list({(hit.declaration.name, hit.declaration.module): hit for hit in reversed(hits)}.values())[::-1][:limit]

    def _where(self, condition: str, *values: object) -> list[Declaration]:
        rows = self._connection.execute(f"SELECT {_COLUMNS} FROM declarations d WHERE {condition} LIMIT 100", values)  # noqa: S608
        return [Declaration(*row) for row in rows]

    def _fuzzy(self, name: str) -> list[Declaration]:
        grams = trigrams(name)
        if not grams:
            return []
        marks = ",".join("?" * len(grams))
        counted = f"SELECT term FROM gram_counts WHERE term IN ({marks}) ORDER BY n LIMIT {_RARE_GRAMS}"  # noqa: S608
        rare = [row[0] for row in self._connection.execute(counted, tuple(grams))]
        if not rare:
            return []
        near = self._connection.execute(
            f"SELECT rowid FROM grams WHERE grams MATCH ? ORDER BY rank LIMIT {_NEAR}",  # noqa: S608
            (" OR ".join(_quoted(one) for one in rare),),
        ).fetchall()
        found = self._numbered([row[0] for row in near])
        found.sort(key=lambda one: -_overlap(grams, trigrams(one.name)))
        lower = name.lower()
        return sorted(found[:_CLOSE], key=lambda one: -SequenceMatcher(None, lower, one.name.lower(), autojunk=False).ratio())

    def _numbered(self, numbers: Sequence[int]) -> list[Declaration]:
        marks = ",".join("?" * len(numbers))
        rows = self._connection.execute(f"SELECT d.id, {_COLUMNS} FROM declarations d WHERE d.id IN ({marks})", tuple(numbers))  # noqa: S608
        by_number = {row[0]: Declaration(*row[1:]) for row in rows}
        return [by_number[number] for number in numbers if number in by_number]

    def _words(self, words: Sequence[str], limit: int) -> list[Declaration]:
        """What holds all the words, all but one, or any; each word left out costs a part of the score."""
        scores: dict[int, float] = {}
        for missing, wanted in enumerate(_loosened(words)):
            rows = self._connection.execute(
                f"SELECT rowid, bm25(words, 3.0, 1.0, 4.0) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT {_CANDIDATES}",  # noqa: S608
                (wanted,),
            )
            for number, score in rows:
                scores.setdefault(number, score * _LEFT_OUT**missing)
            if len(scores) >= limit * 3:
                break
        best = sorted(scores, key=scores.__getitem__)
        return self._numbered(best[:limit])


def _loosened(words: Sequence[str]) -> list[str]:
    quoted = [_quoted(word) for word in words]
    if not quoted:
        return []
    fewer = [" AND ".join([*quoted[:at], *quoted[at + 1 :]]) for at in range(len(quoted))] if len(quoted) > 2 else []
    one_less = [" OR ".join(f"({one})" for one in fewer)] if fewer else []
    return list(dict.fromkeys([" AND ".join(quoted), *one_less, " OR ".join(quoted)]))


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _overlap(left: set[str], right: set[str]) -> float:
    return len(left & right) / len(left | right)
