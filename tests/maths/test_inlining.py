"""Which parts of a kernel are written out where they are called."""

from collections import Counter

from creature_sim.maths.inlining import LEAST, MOST, Part, kept_whole, part_of

LARGE = MOST // 10

CODE = """define void @outer(ptr %0) {
entry:
  %1 = call double @_ZN5inner(double 1.0)
  %2 = tail call i32 @_ZN5inner(double %1), !noalias !0
  call void %3(double %1)
  %4 = fadd double %1, %1
  call void @other()
  ret void
}
"""


def part(size: int, **calls: int) -> Part:
    return Part(size, Counter(calls))


def test_parts_count_their_lines_and_calls() -> None:
    assert part_of(CODE) == Part(9, Counter({"_ZN5inner": 2, "other": 1}))


def test_a_kernel_that_stays_small_is_written_out() -> None:
    assert kept_whole(part(100, a=8), {"a": part(LARGE)}) == set()


def test_large_parts_of_a_large_kernel_stay_functions() -> None:
    assert kept_whole(part(100, a=11), {"a": part(LARGE)}) == {"a"}


def test_places_are_counted_at_any_depth() -> None:
    parts = {"a": part(10, b=4), "b": part(10, c=3), "c": part(LARGE)}
    assert kept_whole(part(100, a=1), parts) == {"c"}


def test_what_saves_most_goes_first_and_no_more_than_needed() -> None:
    parts = {"a": part(LARGE), "b": part(LARGE // 2)}
    assert kept_whole(part(100, a=9, b=4), parts) == {"a"}


def test_what_is_within_a_part_that_stays_is_counted_once() -> None:
    parts = {"a": part(LARGE, b=2), "b": part(LARGE // 2)}
    assert kept_whole(part(100, a=20), parts) == {"a"}


def test_what_is_called_once_is_written_out_however_large() -> None:
    assert kept_whole(part(100, a=1), {"a": part(2 * MOST)}) == set()


def test_small_parts_are_written_out_however_often_they_are_called() -> None:
    assert kept_whole(part(100, a=1000), {"a": part(LEAST - 1)}) == set()


def test_what_is_no_part_counts_nothing() -> None:
    assert kept_whole(part(100, malloc=10_000), {}) == set()
