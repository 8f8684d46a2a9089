#!/usr/bin/env python3
"""Statements that allocate arrays of several derived types.

several_types.py make SEED PROGRAM.f90  writes a program of chance, which prints "array|member|loads stores" as it
                                        counts them itself; "-" for stores where a type has default values, "none"
                                        for arrays that are not told apart: where a bound calls a function, which
                                        allocates, too
several_types.py counted JSON TOLD      prints the same of a profile, for what the program told of
"""
import json
import random
import sys

KINDS = "integer", "real", "double precision", "integer(8)", "logical"
WAYS = "plain", "stat", "loop", "parallel", "if", "continued", "two", "inlined", "calls"


class Source:
    def __init__(self, seed):
        self.chance, self.lines, self.counters = random.Random(seed), [], []
        self.types = []  # (name, members, has_defaults)
        for i in range(6):
            kinds = self.chance.choices(KINDS, k=self.chance.randint(1, 5))
            if i == 5:  # the same places as another type has, under other names
                kinds = self.types[-1][3]
            members = ["%s%d" % (chr(97 + i), k) for k in range(len(kinds))]
            self.types.append(("t%d" % i, members, i == 2, kinds))

    def put(self, *lines):
        self.lines += lines

    def counter(self, name, member, has_defaults, is_known):
        self.counters.append((name, member, has_defaults, is_known))
        return len(self.counters)

    def declare_types(self):
        for name, members, has_defaults, kinds in self.types:
            self.put("type :: " + name)
            for i, (member, kind) in enumerate(zip(members, kinds)):
                default = " = 0" if has_defaults and i == 0 and kind != "logical" else ""
                self.put("  %s :: %s%s" % (kind, member, default))
            self.put("end type")
        self.put("type :: holder", *["  type(t%d), allocatable :: v%d(:)" % (i, i) for i in range(6)], "end type")

    def walk(self, array, name, kind, atomic, is_known):
        """Puts loops that store and load some members of an array, and count that."""
        _, members, has_defaults, kinds = self.types[kind]
        for member in self.chance.sample(members, self.chance.randint(1, len(members))):
            k = self.counter(name, member, has_defaults, is_known)
            is_logical = kinds[members.index(member)] == "logical"
            self.put("do i = 1, size(%s)" % array,
                     "  %s(i)%%%s = %s" % (array, member, "mod(i, 2) == 0" if is_logical else "i"),
                     *atomic, "  stores(%d) = stores(%d) + 1" % (k, k), "end do",
                     "do i = 1, size(%s), %d" % (array, self.chance.randint(1, 3)),
                     "  if (%s(i)%%%s) s = s + 1" % (array, member) if is_logical
                     else "  s = s + real(%s(i)%%%s)" % (array, member),
                     *atomic, "  loads(%d) = loads(%d) + 1" % (k, k), "end do")

    def statement(self, number, way):
        """Puts a subroutine with a statement that allocates several arrays."""
        kinds = self.chance.sample(range(6), self.chance.randint(2, 5))
        bounds = ["n", "n + %d" % number, "max(n,2)*2", "n/2", "sizes(2)*n"]
        self.chance.shuffle(bounds)
        if way == "calls":
            bounds[1] = "more(n)"
        arrays, items = [], []
        for k, (kind, bound) in enumerate(zip(kinds, bounds)):
            how = self.chance.choice(("allocatable", "pointer", "component"))
            array = "h%d%%v%d" % (number, kind) if how == "component" else "x%d_%d" % (number, k)
            arrays.append((array, kind, how))
            items.append("%s(%s)" % (array, bound))
        double = "d%d" % number  # an array without members is among them
        items.insert(self.chance.randint(0, len(items)), "%s(n)" % double)
        names = [item for item in items if not item.startswith(double)]
        self.put("subroutine s%d(n)" % number, "integer, intent(in) :: n", "type(holder) :: h%d" % number,
                 "double precision, allocatable :: %s(:)" % double, "integer :: i, k, error", "real :: s")
        self.put(*["type(t%d), %s :: %s(:)" % (kind, how, array) for array, kind, how in arrays if how != "component"])
        text = "allocate(%s)" % ", ".join(items)
        private = ", ".join([double, "h%d" % number] + [a for a, _, how in arrays if how != "component"])
        around, behind = {
            "loop": (["do k = 1, 2"], ["end do"]), "if": (["if (n > 1) then"], ["end if"]),
            "parallel": (["!$omp parallel private(i, %s) reduction(+:s)" % private], ["!$omp end parallel"]),
        }.get(way, ([], []))
        self.put("s = 0", *around)
        if way == "stat":
            text = text[:-1] + ", stat=error)"
        if way == "two":
            text = "s = s + 1; " + text + "; error = 0"
        if way == "continued":
            text = text.replace(", ", ", &\n    ! the next one\n    ")
        self.put(text)
        self.put("do i = 1, n", "  %s(i) = i" % double, "end do")
        for (array, kind, _), name in zip(arrays, names):
            self.walk(array, name, kind, ["  !$omp atomic"] if way == "parallel" else [], way != "calls")
        self.put("s = s + real(%s(n))" % double, "deallocate(%s)" % ", ".join(a for a, _, _ in arrays),
                 "deallocate(%s)" % double, *behind, "total = total + s", "end subroutine")

    def program(self):
        ways = [(i, way) for i, way in enumerate(WAYS)]
        self.put("module several", "implicit none")
        self.declare_types()
        self.put("real :: total = 0", "integer :: sizes(2) = 3",
                 "integer(8) :: loads(@) = 0, stores(@) = 0", "contains")
        self.put("integer function more(n)", "integer, intent(in) :: n", "integer, allocatable :: own(:)",
                 "allocate(own(n))", "own = 1", "more = sum(own) + 1", "end function")
        for number, way in ways:
            self.statement(number, way)
        self.put("end module", "program main", "use several")
        for number, way in ways:
            for _ in range(3 if way == "inlined" else 1):
                self.put("call s%d(%d)" % (number, self.chance.randint(4, 60)))
        for k, (name, member, has_defaults, is_known) in enumerate(self.counters, 1):
            shown = ["loads(%d)" % k, "'-'" if has_defaults else "stores(%d)" % k] if is_known else ["'none'", "'none'"]
            form = "(a,%s,1x,%s)" % tuple("a" if text[0] == "'" else "i0" for text in shown)
            self.put("print '%s', '%s|%s|', %s" % (form, name, member, ", ".join(shown)))
        self.put("if (total < 0) print *, total", "end program")
        return "\n".join(self.lines).replace("@", str(len(self.counters)))


def counted(path, told):
    profile = json.load(open(path))
    names, m, table, sums = profile["objects"]["name"], profile["structure_members"], profile["member_accesses"], {}
    members = dict(zip(zip(m["object"], m["number"]), m["name"]))
    for i, key in enumerate(zip(table["object"], table["member"])):
        name = names[key[0]].split(" ", 1)[-1].split(" #")[0]
        one = sums.setdefault((name, members[key]), [0, 0])
        one[0] += table["loads"][i] or 0
        one[1] += table["stores"][i] or 0
    for line in open(told):
        name, member, n = line.rstrip("\n").split("|")
        loads, stores = sums.get(("allocate(%s)" % name, member), ("none", "none"))
        print("%s|%s|%s %s" % (name, member, loads, "-" if n.endswith("-") else stores))


if sys.argv[1] == "make":
    print(Source(sys.argv[2]).program(), file=open(sys.argv[3], "w"))
else:
    counted(*sys.argv[2:])
