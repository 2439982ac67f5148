"""The filter of system calls, run step by step as the kernel would run it."""

import errno

import pytest

from plies.sandbox import seccomp

MACHINES = [(name, column) for column, name in enumerate(seccomp.MACHINES)]


def answer(machine: str, number: int, *arguments: int, kind: int | None = None) -> int:
    """The error that a call gets, 0 if it is allowed."""
    words = {seccomp.NUMBER: number, seccomp.MACHINE: kind or seccomp.MACHINES[machine]}
    for place in range(6):
        value = arguments[place] if place < len(arguments) else 0
        words[seccomp.FIRST_ARGUMENT + 8 * place] = value & 0xFFFFFFFF
    steps = seccomp.program(machine)
    held, at = 0, 0
    while True:
        operation, if_true, if_false, operand = steps[at]
        at += 1
        if operation == seccomp.LOAD:
            held = words[operand]
        elif operation == seccomp.AND:
            held &= operand
        elif operation == seccomp.EQUAL:
            at += if_true if held == operand else if_false
        elif operation == seccomp.AT_LEAST:
            at += if_true if held >= operand else if_false
        else:
            return 0 if operand == seccomp.ALLOW else operand & 0xFFFF


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_listed_calls_are_refused_and_others_are_not(machine: str, column: int):
    refused = {numbers[column] for numbers in seccomp.REFUSED.values()} - {None}
    special = {seccomp.CLONE3[column]: errno.ENOSYS}
    for number in range(500):
        expected = errno.EPERM if number in refused else special.get(number, 0)
        assert answer(machine, number) == expected, number


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_only_memory_that_is_shared_and_without_a_file_is_refused(machine: str, column: int):
    shared, private, anonymous = 0x01, 0x02, 0x20  # of <linux/mman.h>
    flags = {shared | anonymous: errno.EPERM, private | anonymous: 0, shared: 0, private: 0}
    for flag, error in flags.items():
        assert answer(machine, seccomp.MMAP[column], 0, 4096, 3, flag) == error


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_threads_and_children_are_allowed_but_no_namespaces(machine: str, column: int):
    # Of <linux/sched.h>: what glibc asks for to make a thread, and each CLONE_NEW... flag.
    thread, child = 0x003D0F00, 0x01200011
    namespaces = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000]
    namespaces += [0x10000000, 0x20000000, 0x40000000]
    assert answer(machine, seccomp.CLONE[column], thread) == 0
    assert answer(machine, seccomp.CLONE[column], child) == 0
    for flag in namespaces:
        assert answer(machine, seccomp.CLONE[column], child | flag) == errno.EPERM


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_threads_have_the_open_files_of_their_process(machine: str, column: int):
    assert answer(machine, seccomp.CLONE[column], 0x003D0F00 & ~0x400) == errno.EPERM


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_no_signal_lets_a_stopped_program_go_on(machine: str, column: int):
    terminate, go_on, of_children = 15, 18, 0x01200000
    for *numbers, argument in seccomp.SENDING.values():
        for number, error in ((terminate, 0), (go_on, errno.EPERM)):
            arguments = [number if place == argument else go_on + 1 for place in range(4)]
            assert answer(machine, numbers[column], *arguments) == error
    assert answer(machine, seccomp.CLONE[column], of_children | go_on) == errno.EPERM
    set_name, at_parents_end = 15, 1  # of <linux/prctl.h>
    assert answer(machine, seccomp.PRCTL[column], set_name, go_on) == 0
    assert answer(machine, seccomp.PRCTL[column], at_parents_end, go_on) == errno.EPERM


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_limits_are_set_for_oneself_only(machine: str, column: int):
    assert answer(machine, seccomp.PRLIMIT[column], 0) == 0
    assert answer(machine, seccomp.PRLIMIT[column], 1234) == errno.EPERM


@pytest.mark.parametrize(("machine", "column"), MACHINES)
def test_files_tell_of_themselves_by_no_chosen_signal(machine: str, column: int):
    # Of <fcntl.h>: F_DUPFD, F_GETFL, F_SETFL, F_SETOWN; F_SETSIG.
    for command in (0, 3, 4, 8):
        assert answer(machine, seccomp.FCNTL[column], 0, command, 10) == 0
    assert answer(machine, seccomp.FCNTL[column], 0, 10, 18) == errno.EPERM


def test_the_calls_of_another_machine_are_refused():
    assert answer("x86_64", 39, kind=0x40000003) == errno.EPERM  # 32-bit programs
    assert answer("x86_64", 39 | seccomp.OTHER_X86_CALLS) == errno.EPERM


def test_an_unknown_machine_has_no_filter():
    with pytest.raises(OSError, match="riscv64"):
        seccomp.program("riscv64")
