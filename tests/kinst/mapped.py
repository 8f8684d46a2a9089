"""Writes a program with target directives by chance, and the bytes that their clauses map, by arithmetic.

mapped.py LANGUAGE SEED PROGRAM EXPECTED: a line of EXPECTED is `TYPE LINE TO FROM`, with - for what is not known.  The
program prints how often its clauses called a function, and what was changed in them.
"""
import random
import sys

language, seed, program, expected = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
chance = random.Random(f"{language} {seed}")
fortran = language == "fortran"
SIZES = ({"integer": 4, "real(8)": 8, "complex": 8, "character(5)": 5, "logical": 4} if fortran else
         {"int": 4, "double": 8, "char": 1, "short": 2, "struct pair": 16})
lines, facts, variables = [], [], []
VALUES = {"n": 3, "m": 2}


def put(text):
    lines.append(text)


class Variable:
    def __init__(self, i):
        self.name, self.type = f"v{i}", chance.choice(list(SIZES))
        self.kind = chance.choice(["scalar", "array", "array", "plane", "heap"])
        self.extents = [chance.randint(6, 12) for _ in range({"scalar": 0, "plane": 2}.get(self.kind, 1))]
        self.low = chance.choice([1, 0, -2]) if fortran else 0

    def declare(self):
        bounds = [f"{self.low}:{self.low + n - 1}" for n in self.extents]
        if not fortran:
            if self.kind == "heap":
                put(f"\t{self.type} *{self.name} = ({self.type} *)calloc({self.extents[0]}, sizeof(*{self.name}));")
            else:
                put(f"\t{self.type} {self.name}" + "".join(f"[{n}]" for n in self.extents) + ";")
        elif self.kind == "heap":
            put(f"  {self.type}, allocatable :: {self.name}(:)")
        else:
            put(f"  {self.type} :: {self.name}" + (f"({', '.join(bounds)})" if bounds else ""))

    def section(self, n, whole):
        """Returns a section of the dimension that has n elements, and how many it has."""
        first, count = chance.randint(0, 2), chance.choice([1, 2, 3])
        words = {1: ["1", "m - 1"], 2: ["2", "m"], 3: ["3", "n", "n * m - 3"]}[count]
        form = chance.choice(["whole", "to the end", "both", "both", "from the start"])
        if form == "whole" or whole:
            if self.kind == "heap" and not fortran:
                return f"[0:{n}]", n
            return (":", n) if fortran else ("[:]", n)
        if form == "to the end" and not (self.kind == "heap" and not fortran):
            return (f"{self.low + first}:", n - first) if fortran else (f"[{first}:]", n - first)
        if form == "from the start":
            return (f":{self.low} + {chance.choice(words)} - 1" if fortran else f"[:{chance.choice(words)}]"), count
        if fortran:
            return f"{self.low + first}:{self.low + first} + {chance.choice(words)} - 1", count
        return f"[{first}:{chance.choice(words)}]", count

    def item(self):
        """Returns a list item, and its bytes."""
        size = SIZES[self.type]
        if not self.extents or (chance.random() < 0.3 and (fortran or self.kind != "heap")):
            for n in self.extents:
                size *= n
            return self.name, size
        if fortran:  # contiguous: all of the columns before the last
            parts = [self.section(n, i < len(self.extents) - 1) for i, n in enumerate(self.extents)]
            if len(parts) == 2 and chance.random() < 0.3:
                parts = [(":", self.extents[0]), (f"{self.low} + n", 1)]
        else:
            parts = [self.section(n, i > 0) for i, n in enumerate(self.extents)]
            if len(parts) == 2 and chance.random() < 0.3:
                parts = [("[n - 1]", 1), self.section(self.extents[1], 0)]
        for _, n in parts:
            size *= n
        return self.name + (f"({', '.join(p for p, _ in parts)})" if fortran else "".join(p for p, _ in parts)), size

    def unknown_item(self):
        """Returns an item whose length does something, so that it is not evaluated again."""
        if fortran:
            return f"{self.name}({':, ' * (len(self.extents) - 1)}{self.low}:{self.low} + f() - 1)"
        return self.name + chance.choice(["[0:f()]", "[0:++k % 3 + 1]", "[0:(k += 1) % 2 + 1]", "[0:vn]"])


def construct(i):
    kind = chance.choice(["target", "target data", "target update", "target enter data", "target exit data"])
    types = {"target enter data": ["to", "alloc"], "target exit data": ["from", "release", "delete"]}
    types = types.get(kind, ["to", "from", "tofrom", "alloc", ""])
    chosen = chance.sample(variables, chance.randint(1, 3))
    sums, clauses, unknown = {"to": 0, "from": 0}, [], set()
    for v in chosen:
        type = chance.choice(["to", "from"] if kind == "target update" else types)
        ways = ["to", "from"] if type in ("", "tofrom") else [type] if type in sums else []
        item, size = v.item()
        if v.extents and v.kind != "heap" and chance.random() < 0.12:
            item = v.unknown_item()
            unknown |= set(ways)
        for way in ways:
            sums[way] += size
        always = chance.choice(["", "always, ", "always,"]) if type in ("to", "from", "tofrom") else ""
        clauses.append(f"{type}({item})" if kind == "target update" else
                       f"map({always}{type}: {item})" if type else f"map({item})")
    clause = chance.choice([" ", ", "]).join(clauses)
    put(f"  !$omp {kind} {clause}" if fortran else f"#pragma omp {kind} {clause}")
    facts.append((kind.upper(), len(lines), *("-" if w in unknown else str(sums[w]) for w in ("to", "from"))))
    if kind in ("target", "target data"):
        if fortran:
            put("  n = n + 0")
            put(f"  !$omp end {kind}")
        else:
            put("\t{ }")


def main():
    if fortran:
        for text in ("program p", "  implicit none", "  integer :: n, m, called"):
            put(text)
    else:
        for text in ("#include <stdio.h>", "#include <stdlib.h>", "struct pair { double a, b; };", "static int called;",
                     "static int f(void) { return ++called % 3 + 1; }", "int main(void)", "{",
                     "\tint n = 3, m = 2, k = 0;", "\tvolatile int vn = 2;"):
            put(text)
    for i in range(6):
        variables.append(Variable(i))
        variables[-1].declare()
    if fortran:
        for text in ("  n = 3", "  m = 2", "  called = 0"):
            put(text)
        for v in variables:
            if v.kind == "heap":
                put(f"  allocate ({v.name}({v.low}:{v.low + v.extents[0] - 1}))")
    for i in range(20):
        construct(i)
    if fortran:
        for text in ("  print *, called, n, m", "contains", "  integer function f()", "    called = called + 1",
                     "    f = mod(called, 3) + 1", "  end function", "end program"):
            put(text)
    else:
        put('\tprintf("%d %d %d %d\\n", called, k, n, m);')
        for text in ("\t(void)vn;", "\treturn 0;", "}"):
            put(text)
    with open(program, "w") as out:
        out.write("\n".join(lines) + "\n")
    with open(expected, "w") as out:
        for fact in facts:
            out.write(",".join(map(str, fact)) + "\n")


main()
