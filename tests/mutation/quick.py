"""quick: programs of a build with one object in place of the build's own.

A source is compiled by the command with which make compiles it, and linked before the archives that a program is made
of, so that the archives' own object is not taken.  Nothing that is there changes; it takes a compilation and a link, where
make would compile everything twice and make the archives anew.
"""
import os
import re
import shlex
import subprocess
import tempfile


def printed_by_make(tree, source, target):
    """Returns the lines with which make would make a target if a source had changed."""
    command = ["make", "-n", "V=1", "-W", os.path.join(tree.source, source), target]
    text = subprocess.run(command, cwd=tree.build, capture_output=True, text=True, check=False).stdout
    return text.replace("\\\n", "").split("\n")


class Link:
    """How a program is linked: by which words, and which objects are in the archives there."""

    def __init__(self, tree, test):
        lines = printed_by_make(tree, test + ".c", test)
        line = [row for row in lines if f" -o {test} " in row and "--mode=link" in row][-1]
        self.words = []
        self.objects = set()  # their paths, or names within an archive
        for word in shlex.split(line[line.index("--mode=link") + len("--mode=link"):]):
            self.words += self.archive(tree.build, word) if word.endswith(".la") else [word]
            if word.endswith(".o"):
                self.objects.add(word)
        self.words[self.words.index("-o") + 1] = None  # the program's name

    def archive(self, build, name):
        """Returns the words for a library of libtool that is no library by itself."""
        with open(os.path.join(build, name), encoding="utf-8") as text:
            needs = re.search(r"^dependency_libs='(.*)'$", text.read(), re.M).group(1).split()
        path = os.path.join(os.path.dirname(name), ".libs", os.path.basename(name)[:-3] + ".a")
        members = subprocess.run(["ar", "t", path], cwd=build, capture_output=True, text=True, check=True).stdout
        self.objects.update(members.split())
        return [path] + [need for need in needs if not need.endswith(".la")]

    def own_object(self, name):
        """Returns what the object of a source is called there; None if it is not part of the program."""
        stem = os.path.basename(name)[:-2]
        for o in self.objects:
            if os.path.basename(o) == stem + ".o" or o.endswith("-" + stem + ".o"):
                return o
        return None

    def words_with(self, name, new, program):
        """Returns the command that links the program with a new object for a source."""
        own = self.own_object(name)
        words = [new if word == own else word or program for word in self.words]
        return words if new in words else words[:1] + [new] + words[1:]


class Quick:
    """Programs with a fault in one source."""

    def __init__(self, tree):
        self.tree = tree
        self.folder = tempfile.TemporaryDirectory()
        self.links = {}  # by test
        self.commands = {}  # that compile a source, by its name
        self.code = {}  # of sources without a fault

    def link_of(self, test):
        if test not in self.links:
            self.links[test] = Link(self.tree, test)
        return self.links[test]

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def command_of(self, name):
        """Returns the words that compile a source, but for its name and that of the object."""
        if name not in self.commands:
            stem, folder = os.path.basename(name)[:-2], os.path.dirname(name)
            found = [o for o in sorted(os.listdir(os.path.join(self.tree.build, folder)))
                     if re.fullmatch(r"(.*-)?" + re.escape(stem) + r"\.l?o", o)]
            target = os.path.join(folder, ([o for o in found if o.endswith(".lo")] or found)[0])
            line = [row for row in printed_by_make(self.tree, name, target) if f" -c -o {target} " in row][0]
            line = line[line.index("gcc "):line.index(" -MT ")]
            self.commands[name] = shlex.split(line) + ["-g0", "-w", "-iquote", os.path.join(self.tree.source, folder)]
        return self.commands[name]

    def compiled(self, name, text):
        """Compiles a text in place of a source.  Returns the object's path; None if that fails."""
        source, made = self.path("fault.c"), self.path("fault.o")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        return made if self.tree.run([*self.command_of(name), "-c", source, "-o", made], 120) else None

    def code_of(self, made):
        """Returns the bytes of an object."""
        with open(made, "rb") as file:
            return file.read()

    def sees(self, test, name, made):
        """Returns whether a test fails with the object; what takes long, or is disturbed, has to fail twice."""
        # Where the test's own program is, as tests look for helpers beside themselves.
        program = os.path.join(self.tree.build, f"{test}.fault{os.getpid()}")
        try:
            if not self.tree.run(self.link_of(test).words_with(name, made, program), 120):
                raise RuntimeError(f"{test} does not link with another object of {name}")
            return not any(self.tree.passes(test, program=program) for _ in range(2))
        finally:
            if os.path.exists(program):
                os.remove(program)

    def who_sees(self, tests, name, text, faulty):
        """Returns the first test that fails; None if all pass; "same" or "wrong" as in mutation.py."""
        made = self.compiled(name, faulty)
        if not made:
            return "wrong"
        code = self.code_of(made)
        for test in tests:
            if self.link_of(test).own_object(name) and self.sees(test, name, made):
                return test
        if name not in self.code:
            self.code[name] = self.code_of(self.compiled(name, text))
        return "same" if code == self.code[name] else None
