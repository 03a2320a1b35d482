"""Claims with variables that the values in the text make false, without Lean; and approximations that are a little off."""

from __future__ import annotations

import pytest

from fidelean import Problem, Proof, Step, StepStatus, evaluate_proof
from fidelean.evidence.values import put_in
from fidelean.exact.check import check_chain
from fidelean.obligations.rules import derive
from fidelean.outcome import Outcome, Passed, Refuted


def status(problem: str, *steps: str) -> StepStatus:
    return evaluate_proof(problem, list(steps)).steps[-1].status


@pytest.mark.parametrize(
    ("problem", "step"),
    [
        ("", r"Now \[R = 2310 \bmod 42\] \[R = 18\]"),
        ("", r"We have $S = 17 - 4$. So we get $S = 12$."),
    ],
)
def test_a_value_that_is_put_in_refutes(problem: str, step: str) -> None:
    assert status(problem, step) is StepStatus.REFUTED


@pytest.mark.parametrize(
    ("problem", "step"),
    [
        ("", r"The roots are $x = 4 + \sqrt3$ and $x = 4 - \sqrt3$."),
        ("", r"\[x = 2 + \sqrt5\] \[x = 2 - \sqrt5\]"),  # a finished value, and the next one
        ("", r"\[x = \pi\] \[x = 2\pi\]"),
        ("", "We have $S = 17 - 4$. For the other sum we get $S = 12$."),
        ("", r"We have $S = 17 - 4$. Taking the positive root we get $S = 12$."),
    ],
)
def test_another_value_refutes_nothing(problem: str, step: str) -> None:
    assert status(problem, step) is not StepStatus.REFUTED


def put_into(problem: str, step: str) -> Outcome | None:
    (obligation,) = derive(Proof(Problem(problem), (Step(1, step),)))
    chain = put_in(obligation, None)
    return None if chain is None else check_chain(chain, obligation.claim, source=step).outcome


@pytest.mark.parametrize(
    ("step", "passes"), [("We have $f(3) = 9$.", False), ("We have $f(f(1)) = 6$.", False), ("We have $f(3) = 10$.", True)]
)
def test_a_defined_function_at_a_number_is_a_calculation(step: str, passes: bool) -> None:
    assert isinstance(put_into("Let $f(x) = x^2 + 1$.", step), Passed if passes else Refuted)


@pytest.mark.parametrize(
    "problem",
    [
        "Let $f(x) = x^2 + 1$ for large values of $f$, and $f(x) = x$ else.",  # two definitions
        "A function satisfies $f(x) = f(x - 1) + 1$.",  # a law, no definition
        "Let $f(x) = x^2 + c$.",
        "Find $f$.",
    ],
)
def test_a_function_without_one_definition_has_no_value(problem: str) -> None:
    assert put_into(problem, "We have $f(3) = 9$.") is None


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ((r"We get $k \ge \frac{199}{156} \approx 1.279$, so $k \ge 2$.",), StepStatus.REFUTED_REMARK),
        ((r"We get $\frac{199}{156} \approx 1.279$. Hence $2 \cdot 1.279 = 2.558$.",), StepStatus.REFUTED),
        ((r"We get $\frac{100}{26} \approx 3.84838$. The rest is $0.84838$.",), StepStatus.REFUTED),  # its decimals return
        ((r"We get $5050 / 77 \approx 64.837$.",), StepStatus.REFUTED),  # wrong before the point
        ((r"We get $\frac{199}{156} \approx 1.35$.",), StepStatus.REFUTED),  # off by more than one per cent
        ((r"We get $\frac{199}{156} = 1.279$.",), StepStatus.REFUTED),  # said to be equal
    ],
)
def test_an_approximation_a_little_off_bears_load_if_its_digits_return(steps: tuple[str, ...], expected: StepStatus) -> None:
    assert status("", *steps) is expected
