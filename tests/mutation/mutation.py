#!/usr/bin/env python3
"""mutation: do the tests see faults?

Usage: mutation.py --tree=TREE [--mutants=N | --total=N | --again=RESULTS] [--seed=N] [--file=NAME]
                   [--most=SECONDS] [--programs] [--part=K/N] [--times=FILE] FOLDER...

Puts one fault at a time into a C source of a folder, builds what the next test needs, and runs the tests that the list
TESTS beside this script names for the folder, quick programs first, until one fails.  A fault that no test sees survives,
and is printed as a line to be explained or tested for.  TREE is a clone of the repository, built in its folder build, that
nobody else uses.  Faults that do not compile, and those of which the compiler makes the same code, are drawn again: nothing
could see them.  As all but a few faults are seen early, a first run with --most leaves out what takes long, or one with
--programs all scripts; a second one with --again tries what has survived with all tests.

Prints a line for each mutant and the sum; on stderr, the seconds.  Exit status: 0 when 90 % or more are seen, else 1; 2 for
a wrong call.
"""
import argparse
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from quick import Quick

GOAL = 0.9
SECONDS_A_TEST = 300
QUICK_SECONDS = 1  # of programs that are run before all others
SECONDS_A_BUILD = 600
BYTES_A_FILE = 4 << 30
# The plugins of compilers, which take a minute, are not made anew by each kinst.
ALL = ["-o", "loops_gcc.stamp", "-o", "loops_clang.stamp", "all-am"]

# What stands in a line of C that no fault may change: texts, characters and comments.
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/|//.*')
SWAPS = [
    (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
    (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" & ", " | "), (" | ", " & "),
    (" << ", " >> "), (" += ", " -= "), ("++", "--"), ("--", "++"), ("(!", "("), (" && !", " && "), (" ? ", " ? !"),
]
NUMBER = re.compile(r"(?<![\w.])(\d+)(?![\w.])")
STATEMENT = re.compile(r"^\t+(?!return|break|continue|goto|case|default|struct|static|const|int |char |size_t |uint|"
                       r"unsigned|double|else|do$)[\w>.\[\]()-]+(?: [-+*|&]?= .*|\(.*\)|\+\+|--);$")
RETURN = re.compile(r"^(\t+return )(?!0;|1;)([^;]+);$")
CONDITION = re.compile(r"^(\t+(?:} else )?(?:if|while) \()(.*)(\)(?: \{)?)$")


def faults_of(line):
    """Returns all lines that one fault makes of a line."""
    taken = [m.span() for m in QUOTED.finditer(line)]
    if line.lstrip().startswith(("#", "*", "/*", "static_assert", "_Static_assert", "enum", "__attribute__")):
        return []

    def is_free(at):
        return not any(a <= at < b for a, b in taken)

    found = []
    for old, new in SWAPS:
        at = line.find(old)
        while at >= 0:
            if is_free(at):
                found.append(line[:at] + new + line[at + len(old):])
            at = line.find(old, at + 1)
    if line.startswith("\t"):
        for m in NUMBER.finditer(line):
            if is_free(m.start()):
                found.append(line[:m.start()] + str(int(m.group()) + 1) + line[m.end():])
    if STATEMENT.match(line):
        found.append(re.match(r"\t+", line).group() + ";")
    m = RETURN.match(line)
    if m:
        found.append(f"{m.group(1)}!({m.group(2)});" if "ptr" not in line else line)
    m = CONDITION.match(line)
    if m and m.group(2).count("(") == m.group(2).count(")"):
        found.append(f"{m.group(1)}!({m.group(2)}){m.group(3)}")
    return [f for f in found if f != line]


class Tree:
    def __init__(self, path):
        self.source = os.path.abspath(path)
        self.build = os.path.join(self.source, "build")
        self.environment = dict(os.environ, srcdir=self.source, builddir=self.build, CC="gcc", GXX="g++",
                                GFORTRAN="gfortran", CLANG="clang", VALGRIND="valgrind", MAKE="make",
                                PATH=self.build + ":" + os.environ["PATH"])
        self.seconds = {}  # of each test without a fault
        self.code = {}  # of the sources that had a fault: their objects without one, as what is put back is not built
        command = ["make", "-s", "list-tests", "LIST=$(filter-out $(unit_tests),$(check_PROGRAMS))"]
        # The programs that scripts run beside the installed ones.
        self.programs = subprocess.run(command, cwd=self.build, capture_output=True, check=True, text=True).stdout.split()

    def run(self, command, seconds, folder=None):
        """Returns whether a command ends with 0 in time; 77, a test that was left out, is a success."""
        with subprocess.Popen(command, cwd=folder or self.build, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                              preexec_fn=lambda: limit(seconds)) as process:
            try:
                return process.wait(seconds) in (0, 77)
            except subprocess.TimeoutExpired:
                return False
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)  # and what it has left running
                except ProcessLookupError:
                    pass

    def make(self, targets):
        """Returns whether targets are built; with one process, so that others can work beside."""
        return self.run(["make", "-s", "V=1", "LIBTOOLFLAGS=--silent", *targets], SECONDS_A_BUILD)

    def make_for(self, tests):
        """Returns whether what tests run is built; unit tests need their own programs alone."""
        if not any(t.endswith(".sh") for t in tests):
            return self.make(tests)
        return self.make([*ALL, *self.programs, *[t for t in tests if not t.endswith(".sh")]])

    def passes(self, test, most=SECONDS_A_TEST, program=None):
        """Returns whether a test passes, in ten times the time that it takes without a fault, if that is known.  program:
        the path of a unit test that is not in the build."""
        started = time.monotonic()
        limit_seconds = min(most, 10 * self.seconds[test] + 5 if test in self.seconds else SECONDS_A_TEST)
        if test.endswith(".sh"):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                passed = self.run(["sh", os.path.join(self.source, test)], limit_seconds, folder)
        else:
            passed = self.run([program or os.path.join(self.build, test)], limit_seconds)
        if passed:
            self.seconds.setdefault(test, time.monotonic() - started)
        return passed

    def objects(self, name):
        """Returns the code of all objects of a source by their names, without what says where it stands."""
        stem = os.path.basename(name)[:-2]
        code = {}
        for path, _, files in os.walk(os.path.join(self.build, os.path.dirname(name))):
            for file in files:
                if file == stem + ".o" or file.endswith("-" + stem + ".o"):
                    with tempfile.NamedTemporaryFile() as copy:
                        subprocess.run(["objcopy", "--strip-debug", os.path.join(path, file), copy.name], check=False)
                        code[os.path.join(path, file)] = copy.read()
        return code


def limit(seconds):
    """What a fault must not do to the machine: a file or a loop without end.  A processor's time says more of the latter
    than a clock does on a busy machine."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES_A_FILE, BYTES_A_FILE))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds / 4) + 2, int(seconds / 4) + 3))


def stages_of(tree, tests):
    """Returns the tests in groups, for each of which one call of make builds what it runs: a quick program, further ones,
    and what takes longer."""
    quick = [t for t in tests if not t.endswith(".sh") and tree.seconds[t] < QUICK_SECONDS]
    return [stage for stage in (quick[:1], quick[1:], [t for t in tests if t not in quick]) if stage]


def who_sees(tree, tests, has_changed):
    """Returns the first test that fails; None if all pass, "same" or "wrong" as below."""
    changed = False
    for stage in stages_of(tree, tests):
        if not tree.make_for(stage):
            return "wrong"
        changed = changed or has_changed()
        for test in stage if changed else []:
            # A script, which a busy machine may disturb, has to fail twice.
            if not tree.passes(test) and not (test.endswith(".sh") and tree.passes(test)):
                return test
    return None if changed else "same"


def try_quickly(quick, tests, name, number, fault):
    """As try_fault(), by programs alone, which are linked with the faulty source's object; TREE is not changed."""
    with open(os.path.join(quick.tree.source, name), encoding="utf-8") as source:
        text = source.read()
    lines = text.split("\n")
    lines[number] = fault
    return quick.who_sees(tests, name, text, "\n".join(lines))


def try_fault(tree, tests, name, number, fault):
    """Returns what sees a fault: a test, or None; "same" if there is no code that differs, "wrong" if it isn't C."""
    path = os.path.join(tree.source, name)
    with open(path, encoding="utf-8") as source:
        text = source.read()
    lines = text.split("\n")
    if name not in tree.code:
        tree.code[name] = tree.objects(name)
    lines[number] = fault
    try:
        with open(path, "w", encoding="utf-8") as source:
            source.write("\n".join(lines))
        return who_sees(tree, tests, lambda: tree.objects(name) != tree.code[name])
    finally:
        with open(path, "w", encoding="utf-8") as source:
            source.write(text)


def tests_of(folder):
    """Returns the tests of a folder, those of the longest name in TESTS that it begins with."""
    best, tests = "", []
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "TESTS"), encoding="utf-8") as rows:
        for row in rows:
            words = row.split()
            if words and not row.startswith("#") and (folder + "/").startswith(words[0] + "/") and len(words[0]) >= len(best):
                tests = words[1:] if words[0] != best else tests + words[1:]
                best = words[0]
    return tests


def candidates(tree, folder, only):
    """Returns (file, line number, faulty line) of all faults in the sources of a folder."""
    found = []
    for name in sorted(os.listdir(os.path.join(tree.source, folder))):
        if not name.endswith(".c") or (only and name != only):
            continue
        with open(os.path.join(tree.source, folder, name), encoding="utf-8") as source:
            in_comment = False
            for number, line in enumerate(source.read().split("\n")):
                if in_comment:
                    in_comment = "*/" not in line
                elif line.lstrip().startswith("/*") and "*/" not in line:
                    in_comment = True
                else:
                    found += [(f"{folder}/{name}", number, fault) for fault in faults_of(line)]
    return found


def quotas(n_faults, n_mutants):
    """Returns how many mutants each folder gets: in proportion to its possible faults, and at least one."""
    total = sum(n_faults.values())
    return {folder: max(1, round(n_mutants * n / total)) for folder, n in n_faults.items()}


def drawn(tree, folders, arguments):
    """Returns the folders in the order in which their faults are tried, and what each has to draw from."""
    draws = {folder: candidates(tree, folder, arguments.file) for folder in folders}
    for folder in folders:
        random.Random(f"{arguments.seed} {folder}").shuffle(draws[folder])
    n_mutants = {folder: arguments.mutants for folder in folders}
    if arguments.total:
        n_mutants = quotas({folder: len(draws[folder]) for folder in folders}, arguments.total)
    turns = [folder for folder in folders for _ in range(n_mutants[folder])]
    if arguments.total:
        random.Random(arguments.seed).shuffle(turns)  # so that a run that is ended early has some of each
    part, n_parts = arguments.part
    return turns[part::n_parts], {folder: faults[part::n_parts] for folder, faults in draws.items()}


def again(tree, path):
    """Returns (file, line number, faulty line) of the faults that survived as the results in a file have them."""
    found = []
    with open(path, encoding="utf-8") as results:
        for row in results:
            m = re.match(r"SURVIVES: ([^:]+):(\d+): (.*?)  ->  (.*)$", row)
            if not m:
                continue
            name, was, line, fault = m.group(1), int(m.group(2)) - 1, m.group(3), m.group(4)
            with open(os.path.join(tree.source, name), encoding="utf-8") as source:
                lines = source.read().split("\n")
            same = [i for i, text in enumerate(lines) if text.strip() == line]
            if not same:
                print(f"gone: {name}:{was + 1}: {line}", flush=True)
                continue
            number = min(same, key=lambda i: abs(i - was))  # lines may have moved a little
            indent = lines[number][:len(lines[number]) - len(lines[number].lstrip())]
            found.append((name, number, indent + fault))
    return found


def show(tree, quick, tests, name, number, fault):
    """Tries a fault and prints a line for it; returns whether it is seen, and None if it is none."""
    with open(os.path.join(tree.source, name), encoding="utf-8") as source:
        line = source.read().split("\n")[number]
    started = time.monotonic()
    test = try_quickly(quick, tests, name, number, fault) if quick else try_fault(tree, tests, name, number, fault)
    if test in ("same", "wrong"):
        return None
    print(f"{'seen by ' + test if test else 'SURVIVES'}: {name}:{number + 1}: {line.strip()}  ->  {fault.strip()}", flush=True)
    print(f"    {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
    return test is not None


def measure(tree, tests, most, path):
    """Finds out how long each test takes without a fault, unless the file says it.  Those that fail, or take longer than
    `most`, are left out."""
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as times:
            tree.seconds = json.load(times)
    for test in sorted(tests):
        if test not in tree.seconds and not (tree.make_for([test]) and (tree.passes(test, most) or tree.passes(test, most))):
            tree.seconds[test] = math.inf
            print(f"left out, as without a fault it takes too long, or fails: {test}", flush=True)
        if path:  # each time, so that a run that is ended leaves what it found
            with open(path, "w", encoding="utf-8") as times:
                json.dump(tree.seconds, times, indent=0)


def end(number, _):
    """Ends by a signal as by an error, so that the source is put back."""
    sys.exit(128 + number)


def main():
    signal.signal(signal.SIGTERM, end)
    parser = argparse.ArgumentParser()
    parser.add_argument("--tree", required=True)
    parser.add_argument("--mutants", type=int, default=20, help="faults in each folder")
    parser.add_argument("--total", type=int, help="faults in all folders together, in proportion to what could be faulty")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", type=lambda s: [int(n) for n in s.split("/")], default=[0, 1], metavar="K/N",
                        help="every Nth of these faults, from number K on: N runs in trees of their own are one")
    parser.add_argument("--file", help="faults in this source alone")
    parser.add_argument("--again", metavar="RESULTS", help="the faults that survived in a former run, and no others")
    parser.add_argument("--most", type=float, metavar="SECONDS", help="tests that take longer are left out")
    parser.add_argument("--programs", action="store_true", help="no scripts, which are for a second run with --again")
    parser.add_argument("--times", metavar="FILE", help="where how long tests take is kept from run to run")
    parser.add_argument("folder", nargs="*")
    arguments = parser.parse_args()
    tree = Tree(arguments.tree)
    if arguments.again:
        faults = again(tree, arguments.again)
        turns, draws = [], {}
        for fault in faults:
            turns.append(os.path.dirname(fault[0]))
            draws.setdefault(turns[-1], []).append(fault)
    else:
        turns, draws = drawn(tree, arguments.folder, arguments)
    tests = {folder: tests_of(folder) for folder in draws}
    for folder in draws:
        if not tests[folder]:
            sys.exit(f"mutation: TESTS names no tests for {folder}")
    if arguments.programs:  # a folder that has scripts alone leaves all of its faults to them
        tests = {folder: [t for t in row if not t.endswith(".sh")] for folder, row in tests.items()}
    programs = sorted({t for row in tests.values() for t in row if not t.endswith(".sh")})
    if not (tree.make(ALL) and tree.make(programs if arguments.programs else tree.programs)):
        sys.exit("mutation: without a fault it does not build")
    measure(tree, {t for row in tests.values() for t in row}, arguments.most or SECONDS_A_TEST, arguments.times)
    most = arguments.most or SECONDS_A_TEST
    for folder, row in tests.items():
        # Quick programs as TESTS has them, as they need no more than themselves; then all else, the quickest first.
        row.sort(key=lambda t: tree.seconds[t] if t.endswith(".sh") or tree.seconds[t] >= QUICK_SECONDS else 0)
        tests[folder] = [t for t in row if tree.seconds[t] < math.inf and (tree.seconds[t] <= most or not t.endswith('.sh'))]
        print(f"{folder}: " + " ".join(f"{t} {tree.seconds[t]:.1f}" for t in tests[folder]), file=sys.stderr, flush=True)
    quick = Quick(tree) if arguments.programs else None
    n = n_seen = 0
    for folder in turns:
        seen = None
        while seen is None and draws[folder]:
            seen = show(tree, quick, tests[folder], *draws[folder].pop(0))
            if arguments.again:
                break
        n, n_seen = n + (seen is not None), n_seen + (seen is True)
    if not quick:
        tree.make(ALL)
    print(f"{n_seen} of {n} faults are seen ({100 * n_seen / max(n, 1):.0f} %)")
    sys.exit(0 if n_seen >= GOAL * n else 1)


if __name__ == "__main__":
    main()
