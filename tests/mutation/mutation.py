#!/usr/bin/env python3
"""mutation: do the tests see faults?

Usage: mutation.py --tree=TREE [--mutants=N] [--seed=N] [--file=NAME] FOLDER...

Puts one fault at a time into a C source of a folder, builds, and runs the tests that the list TESTS beside this script
names for the folder.  A fault that no test sees survives, and is printed as a line to be explained or tested for.  TREE
is a clone of the repository, built in its folder build, that nobody else uses.  Faults that do not compile, and those of
which the compiler makes the same code, are drawn again: nothing could see them.

Prints a line for each mutant and the sum.  Exit status: 0 when 90 % or more are seen, else 1; 2 for a wrong call.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

GOAL = 0.9
SECONDS_A_TEST = 300
SECONDS_A_BUILD = 600

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

    def run(self, command, seconds, folder=None):
        """Returns whether a command ends with 0 in time; 77, a test that was left out, is a success."""
        with subprocess.Popen(command, cwd=folder or self.build, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            try:
                return process.wait(seconds) in (0, 77)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                return False

    def programs(self):
        """Returns the programs that scripts run beside the installed ones."""
        command = ["make", "-s", "list-tests", "LIST=$(filter-out $(unit_tests),$(check_PROGRAMS))"]
        return subprocess.run(command, cwd=self.build, capture_output=True, check=True, text=True).stdout.split()

    def make(self, units):
        """Returns whether everything is built; one call after another, as two would make the same libraries."""
        return self.run(["make", "-s", "-j2", "all"], SECONDS_A_BUILD) and self.run(
            ["make", "-s", "-j2", *self.programs(), *units], SECONDS_A_BUILD)

    def objects(self, name):
        """Returns the code and data of all objects of a source, without what says where it stands."""
        stem = os.path.basename(name)[:-2]
        folder = os.path.join(self.build, os.path.dirname(name))
        code = []
        for path, _, files in os.walk(folder):
            for file in sorted(files):
                if file.endswith(stem + ".o") and (file == stem + ".o" or file.endswith("-" + stem + ".o")):
                    copy = os.path.join(tempfile.gettempdir(), f"mutation.{os.getpid()}.o")
                    subprocess.run(["objcopy", "--strip-debug", os.path.join(path, file), copy], check=False)
                    with open(copy, "rb") as stripped:
                        code.append(stripped.read())
                    os.remove(copy)
        return code


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


def is_seen(tree, tests):
    """Returns the first test that fails; None if all pass."""
    for test in tests:
        folder = tempfile.mkdtemp()
        command = ["sh", os.path.join(tree.source, test)] if test.endswith(".sh") else [os.path.join(tree.build, test)]
        passed = tree.run(command, SECONDS_A_TEST, folder if test.endswith(".sh") else None)
        shutil.rmtree(folder, ignore_errors=True)
        if not passed:
            return test
    return None


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tree", required=True)
    parser.add_argument("--mutants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", help="faults in this source alone")
    parser.add_argument("folder", nargs="+")
    arguments = parser.parse_args()
    tree, n, n_seen = Tree(arguments.tree), 0, 0
    for folder in arguments.folder:
        tests = tests_of(folder)
        units = [t for t in tests if not t.endswith(".sh")]
        if not tests:
            sys.exit(f"mutation: {folder}: TESTS names no tests for it")
        failed = is_seen(tree, tests) if tree.make(units) else "the build"
        if failed:
            sys.exit(f"mutation: {folder}: without a fault a test fails: {failed}")
        draws = candidates(tree, folder, arguments.file)
        random.Random(arguments.seed).shuffle(draws)
        left = arguments.mutants
        for name, number, fault in draws:
            if not left:
                break
            path = os.path.join(tree.source, name)
            with open(path, encoding="utf-8") as source:
                text = source.read()
            lines, before = text.split("\n"), tree.objects(name)
            line, lines[number] = lines[number], fault
            try:
                with open(path, "w", encoding="utf-8") as source:
                    source.write("\n".join(lines))
                if not tree.make(units) or tree.objects(name) == before:
                    continue
                left, n = left - 1, n + 1
                test = is_seen(tree, tests)
                n_seen += test is not None
                print(f"{'seen by ' + test if test else 'SURVIVES'}: {name}:{number + 1}: {line.strip()}  ->  {fault.strip()}",
                      flush=True)
            finally:
                with open(path, "w", encoding="utf-8") as source:
                    source.write(text)
        tree.make(units)
    print(f"{n_seen} of {n} faults are seen ({100 * n_seen / max(n, 1):.0f} %)")
    sys.exit(0 if n_seen >= GOAL * n else 1)


if __name__ == "__main__":
    main()
