#!/usr/bin/env python3
"""Programs that allocate several small blocks by one statement, and free them soon.

emulate_blocks.py make LANGUAGE SEED PROGRAM COUNTS  writes a program of chance in c, cpp or f90, and what arithmetic says
                                                     of its blocks: "LINE NAME LOADS STORES LOADED STORED"; "-" where
                                                     compilers choose the width of accesses; and for members
                                                     "LINE NAME.MEMBER LOADS STORES"
emulate_blocks.py counted JSON COUNTS                prints the same of a profile
"""
import collections
import json
import random
import re
import sys

KINDS = {"char": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8}
FORTRAN = {"char": "integer(1)", "short": "integer(2)", "int": "integer(4)", "long": "integer(8)", "float": "real(4)",
           "double": "real(8)"}


class Source:
    def __init__(self, language, seed):
        self.chance, self.lines, self.language = random.Random(seed), [], language
        self.types = [("t%d" % i, [("%s%d" % (chr(97 + i), k), self.chance.choice(sorted(KINDS)))
                                   for k in range(self.chance.randint(2, 5))]) for i in range(3)]
        self.counts = collections.defaultdict(lambda: [0, 0, 0, 0])
        self.members = collections.defaultdict(lambda: [0, 0])
        self.loose = set()  # of which compilers choose how wide stores are
        self.one = {}       # by the name of an array, that of the first of those that are not told apart

    def put(self, *lines):
        self.lines += lines

    def walk(self, name, part, size, n, line, times):
        """Puts loops that store to each element, and load some.  times: how often the function runs for each n"""
        step, is_fortran = self.chance.randint(1, 3), self.language == "f90"
        member = part and ("%" if is_fortran else ".") + part
        if is_fortran:
            self.put("do i = 1, %s" % n, "  %s(i)%s = i" % (name, member), "end do", "do i = 1, %s, %d" % (n, step),
                     "  s = s + %s(i)%s" % (name, member), "end do")
        else:
            self.put("\tfor (int i = 0; i < %s; i++)" % n, "\t\t%s[i]%s = i;" % (name, member),
                     "\tfor (int i = 0; i < %s; i += %d)" % (n, step), "\t\ts += %s[i]%s;" % (name, member))
        for value in times:
            stores = eval(n, {"n": value})
            loads = -(-stores // step)
            for to in self.counts[line, self.one.get(name, name)], self.members[line, name + "." + part] if part else [0, 0]:
                to[0] += loads
                to[1] += stores
                if len(to) == 4:
                    to[2] += loads * size
                    to[3] += stores * size

    def arrays(self, function):
        """Returns (name, type or kind, members, text of the number of elements)."""
        found = []
        for k in range(self.chance.randint(2, 6)):
            kind = self.chance.choice(self.types + sorted(KINDS))
            n = self.chance.choice(["n", "n + 3", "2*n", "n + %d" % k])
            name, parts = (kind, []) if isinstance(kind, str) else kind
            found.append(("x%d_%d" % (function, k), name, parts, n))
        return found

    def walks(self, arrays, line, times):
        for _ in range(2):
            for name, kind, parts, n in arrays:
                part, size = self.chance.choice(parts) if parts else ("", kind)
                self.walk(name, part, KINDS[size], n, line, times)

    def c_function(self, i, times):
        arrays, statement = self.arrays(i), "\t"
        has_new = self.language == "cpp"
        self.put("static __attribute__((noinline)) long f%d(int n)" % i, "{", "\tlong s = 0;")
        for name, kind, parts, n in arrays:
            if has_new:
                statement += "volatile %s *%s = new volatile %s[%s]; " % (kind, name, kind, n)
            else:
                statement += "volatile %s *%s = (volatile %s *)malloc((%s) * sizeof *%s); " % (kind, name, kind, n, name)
        self.put(statement)
        self.walks(arrays, len(self.lines), times)
        self.chance.shuffle(arrays)
        self.put("\t" + " ".join(("delete[] %s;" if has_new else "free((void *)%s);") % a[0] for a in arrays),
                 "\treturn s;", "}")

    def c_program(self):
        self.put("#include <stdlib.h>", "#include <omp.h>")
        for name, parts in self.types:
            self.put("typedef struct %s {" % name, *["\t%s %s;" % (kind, part) for part, kind in parts], "} %s;" % name)
        calls = self.functions(self.c_function)
        self.put("int main(void)", "{", "\tlong sum = 0;")
        for i, n, is_parallel in calls:
            self.put(*["#pragma omp parallel num_threads(2) reduction(+ : sum)"] * is_parallel, "\tsum += f%d(%d);" % (i, n))
        self.put("\treturn sum == 1;", "}", "")

    def functions(self, put):
        """Puts some functions.  Returns their calls: (function, argument, whether two threads make it)."""
        calls = []
        for i in range(6):
            own = [(i, self.chance.randint(2, 40), self.chance.random() < 0.3) for _ in range(self.chance.randint(1, 3))]
            put(i, [n for _, n, is_parallel in own for _ in range(1 + is_parallel)])
            calls += own
        self.chance.shuffle(calls)
        return calls

    def fortran_function(self, i, times):
        arrays = self.arrays(i)
        way = self.chance.choice(["", ", stat=error", ", source="])
        if way == ", source=":
            kind = self.chance.choice(sorted(KINDS)[1:])  # the C library's memset() would fill characters
            arrays = [(name, kind, [], n) for name, _, _, n in arrays]
            way += "%s_%d" % (("3.0" if kind in ("float", "double") else "3"), KINDS[kind])
        self.put("subroutine f%d(n)" % i, "integer, value :: n", "integer :: i, error", "real(8) :: s")
        for name, kind, parts, _ in arrays:
            self.put("%s, %s, volatile :: %s(:)" % ("type(%s)" % kind if parts else FORTRAN[kind],
                                                    self.chance.choice(["allocatable", "pointer"]), name))
        self.put("s = 0", "allocate(%s%s)" % (", ".join("%s(%s)" % (a[0], a[3]) for a in arrays), way))
        line = len(self.lines)
        for name, kind, _, n in arrays if "source" in way else []:
            self.one[name] = arrays[0][0]
            self.loose.add((line, arrays[0][0]))
            self.counts[line, arrays[0][0]][3] += sum(eval(n, {"n": value}) * KINDS[kind] for value in times)
        self.walks(arrays, line, times)
        self.put("deallocate(%s)" % ", ".join(a[0] for a in arrays), "if (s == 1) print *, s", "end subroutine")

    def fortran_program(self):
        self.put("module blocks", "implicit none")
        for name, parts in self.types:
            self.put("type :: " + name, *["  %s :: %s" % (FORTRAN[kind], part) for part, kind in parts], "end type")
        self.put("contains")
        calls = self.functions(self.fortran_function)
        self.put("end module", "program main", "use blocks")
        for i, n, is_parallel in calls:
            self.put(*["!$omp parallel num_threads(2)"] * is_parallel, "call f%d(%d)" % (i, n),
                     *["!$omp end parallel"] * is_parallel)
        self.put("end program", "")

    def write(self, program, counts):
        (self.fortran_program if self.language == "f90" else self.c_program)()
        open(program, "w").write("\n".join(self.lines))
        with open(counts, "w") as out:
            rows = [(*key, *(["-", "-", c[2], c[3]] if key in self.loose else c)) for key, c in self.counts.items()]
            rows += [(*key, *c) for key, c in self.members.items()]
            out.writelines(sorted(" ".join(map(str, row)) + "\n" for row in rows))


def add(sums, table, key_of):
    for i in range(len(table["object"])):
        key = key_of(i)
        if key:
            for k, column in enumerate(("loads", "stores", "load_bytes", "store_bytes")):
                sums[key][k] += table.get(column, {i: 0})[i] or 0


def counted(path, counts):
    profile, sums, wanted = json.load(open(path)), collections.defaultdict(lambda: [0] * 4), open(counts).readlines()
    m = profile["structure_members"]
    members = dict(zip(zip(m["object"], m["number"]), m["name"]))

    def block(o):
        found = re.match(r"\S+:(\d+) .*?\b(x\d+_\d+)", profile["objects"]["name"][o])
        return found and found.groups()

    accesses, parts = profile["accesses"], profile["member_accesses"]
    add(sums, accesses, lambda i: block(accesses["object"][i]))
    add(sums, parts, lambda i: block(parts["object"][i]) and
        (block(parts["object"][i])[0],
         block(parts["object"][i])[1] + "." + members[parts["object"][i], parts["member"][i]]))
    for line, name, *want in map(str.split, wanted):
        print(line, name, *["-" if w == "-" else s for w, s in zip(want, sums[line, name])])


if sys.argv[1] == "make":
    Source(*sys.argv[2:4]).write(*sys.argv[4:])
else:
    counted(*sys.argv[2:])
