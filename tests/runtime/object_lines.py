"""object_lines: makes a program by chance whose lines allocate one to five blocks each, in C, C++ or Fortran, and checks
what a profile says of them against what the program prints of itself.

    object_lines.py make LANGUAGE SEED >PROGRAM
    object_lines.py check PROFILE.json PROGRAM'S-OUTPUT [PAGES.csv EVENTS.csv]

The program prints for each array its line, what its name begins with, its bytes, blocks and loads, and the address of
the first block or 0.  PAGES is what `ompp pages` says of the same run, EVENTS what `ompp flow` says of each access.
"""
import csv
import json
import random
import re
import sys


class Program:
    """Lines of a program, and what each array in them has to be."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.arrays = []  # (variable, number of elements, passes, line, start of its name, blocks, members)
        self.n_names = 0

    def name(self):
        self.n_names += 1
        return self.random.choice("abxyzuvw") + str(self.n_names)

    def elements(self):
        # each array has another size, so that two that are mixed up are found
        return 1100 + 37 * self.n_names + self.random.randrange(37)

    def line(self, text):
        self.lines.append(text)
        return len(self.lines)

    def array(self, variable, n, shown, blocks=1, members=0):
        self.arrays.append((variable, n, self.random.randrange(1, 5), len(self.lines), shown, blocks, members))


def c_allocation(p, n, casts):
    cast = p.random.choice(["(double *)", "static_cast<double *>"][: 1 + (casts > 1)]) if casts else ""
    size = p.random.choice(["%d" % n, "A_NUMBER_OF_ELEMENTS + %d" % (n - 1000), "(size_t)(few + %d)" % (n - 7)])
    call = p.random.choice(["malloc(8 * (%s))", "calloc(%s, 8)", "realloc(NULL, (%s) * 8)", "ALLOCATE(%s)"]) % size
    return cast + ("(" + call + ")" if "static" in cast else call)


def c_line(p, casts):
    """Declares or assigns one to five arrays in a line."""
    k = p.random.randrange(1, 6)
    names = [p.name() for _ in range(k)]
    sizes = []
    for i in range(k):
        p.n_names += 1
        sizes.append(p.elements())
    calls = [c_allocation(p, n, casts) for n in sizes]
    kind = p.random.randrange(5)
    if kind == 0:
        text = "double " + ", ".join("*%s = %s" % x for x in zip(names, calls)) + ";"
    elif kind == 1:
        text = " ".join("double *%s = %s;" % x for x in zip(names, calls))
    elif kind == 2:
        p.line("struct { double *%s; } s%d;" % (", *".join(names), p.n_names))
        names = ["s%d.%s" % (p.n_names, x) for x in names]
        text = p.random.choice(["; ", ", "]).join("%s = %s" % x for x in zip(names, calls)) + ";"
    elif kind == 3:
        p.line("double *t%d[%d];" % (p.n_names, k))
        names = ["t%d[%d]" % (p.n_names, i) for i in range(k)]
        text = " ".join("if ((%s = %s) == NULL) return 1;" % x for x in zip(names, calls))
    else:
        text = "double s%d = few, " % p.n_names + ", ".join("*%s = %s" % x for x in zip(names, calls)) + "; /* a = malloc */"
    p.line(text)
    for name, n in zip(names, sizes):
        p.array(name, n, name)


def c_loop(p):
    """A loop that the compiler unrolls allocates blocks of one object."""
    name, n, k = p.name(), p.elements(), p.random.randrange(2, 5)
    p.line("double *%s[%d];" % (name, k))
    p.line("for (int i = 0; i < %d; i++) %s[i] = (double *)malloc(%d);" % (k, name, 8 * n))
    p.array(name, n, "%s[i] = malloc" % name, k, k)


def c_inlined(p):
    """Two calls, on one line, of a function that is inlined are two objects of the function's line."""
    a, b = p.name(), p.name()
    n, m = p.elements(), p.elements() + 5000
    p.line("double *%s = get(%d), *%s = get(%d);" % (a, n, b, m))
    at = next(i for i, x in enumerate(p.lines) if "get(long" in x) + 1
    for name, size in ((a, n), (b, m)):
        p.arrays.append((name, size, 2, at, "malloc", 1, 0))


def cxx_line(p):
    k = p.random.randrange(1, 6)
    kind = p.random.randrange(6)
    names, sizes = [], []
    for i in range(k):
        names.append(p.name())
        sizes.append(p.elements())
    data = ["%s"] * k
    if kind == 0:
        fill = [p.random.choice(["%s(%d)", "%s(%d, 1.0)", "%s(few + %d - 7)"]) % x for x in zip(names, sizes)]
        text, data = "std::vector<double> " + ", ".join(fill) + ";", ["%s.data()"] * k
    elif kind == 1:
        text = " ".join("auto %s = std::make_unique<double[]>(%d);" % x for x in zip(names, sizes))
        data = ["%s.get()"] * k
    elif kind == 2:
        text = "double " + ", ".join("*%s = new double[%d]()" % x for x in zip(names, sizes)) + ";"
    elif kind == 3:
        text = "std::unique_ptr<double[]> " + ", ".join("%s(new double[%d]())" % x for x in zip(names, sizes)) + ";"
        data = ["%s.get()"] * k
    elif kind == 4:
        p.line("std::vector<double> %s;" % ", ".join(names))
        text = " ".join("%s.resize(%d);" % x for x in zip(names, sizes))
        data = ["%s.data()"] * k
    else:
        text = "std::vector<double> %s(%d); double *%s" % (names[0], sizes[0], names[0] + "_") + " = new double[9]();"
        names, sizes, data = names[:1], sizes[:1], ["%s.data()"]
    p.line(text)
    for name, n, how in zip(names, sizes, data):
        p.array(how % name, n, name)


def cxx_nested(p):
    name, n, k = p.name(), p.elements(), p.random.randrange(3, 9)
    p.line("std::vector<std::vector<double>> %s(%d, std::vector<double>(%d, 1.0)); double %s_sum = few;" % (name, k, n, name))
    p.array(name, n, name, k, k)


def make_c(p, is_cxx):
    for x in ["stdio", "stdlib"]:
        p.line("#include <%s.h>" % x)
    if is_cxx:
        p.line("#include <memory>")
        p.line("#include <vector>")
    p.line("#define A_NUMBER_OF_ELEMENTS 1000")
    p.line("#define ALLOCATE(n) calloc(8, n)")
    p.line("static volatile int few = 7;")
    p.line("static inline double *get(long n) { return (double *)malloc(8 * n); }")
    p.line("static __attribute__((noinline)) double use(const volatile double *p, long n, int passes)")
    p.line("{ double s = 0; for (int r = 0; r < passes; r++) for (long i = 0; i < n; i++) s += p[i]; return s; }")
    p.line("int main(void)")
    p.line("{")
    p.line("\tdouble sum = 0;")
    kinds = [lambda: c_line(p, 2 if is_cxx else 0)] * 2 + [lambda: c_loop(p), lambda: c_inlined(p)]
    if is_cxx:
        kinds += [lambda: cxx_line(p)] * 4 + [lambda: cxx_nested(p)]
    for kind in kinds * 2:
        kind()
    for variable, n, passes, line, shown, blocks, members in p.arrays:
        if members:
            data = "&%s[i][0]" % variable
            p.line("\tfor (int i = 0; i < %d; i++) sum += use(%s, %d, %d);" % (members, data, n, passes))
        else:
            p.line("\tsum += use(%s, %d, %d);" % (variable, n, passes))
    for variable, n, passes, line, shown, blocks, members in p.arrays:
        p.line('\tprintf("%d %s %%d %d %%d %%p\\n", %d * 8 * %d, %d * %d * %d, (void *)%s);'
               % (line, shown.replace(" ", "_"), blocks, n, blocks, n, passes, blocks, "0" if members else variable))
    p.line("\treturn sum == 0.5;")
    p.line("}")


def fortran_line(p, k):
    names, sizes = [], []
    for i in range(k):
        names.append(p.name())
        sizes.append(p.elements())
    kind = p.random.randrange(4)
    if kind == 0:
        p.line("allocate(" + ", ".join("%s(%d)" % x for x in zip(names, sizes)) + ")")
    elif kind == 1:
        p.line("; ".join("allocate(%s(%d))" % x for x in zip(names, sizes)) + " ! allocate(z(1))")
    elif kind == 2:
        p.line("allocate(" + ", ".join("%s(few + %d)" % (x, n - 7) for x, n in zip(names, sizes)) + ", stat=state)")
    else:
        items = ["%s(%d)" % x for x in zip(names, sizes)]
        p.line("allocate( & ! in three lines")
        p.line("   " + ", ".join(items[: k // 2 + 1]) + (", &" if k > 1 else " &"))
        p.line("   " + ", ".join(items[k // 2 + 1 :]) + ")")
    for name, n in zip(names, sizes):
        p.array(name, n, "allocate(%s(" % name)
    return names


def make_fortran(p):
    p.line("module uses")
    p.line("integer, volatile :: few = 7")
    p.line("real(8) :: total = 0")
    p.line("contains")
    p.line("subroutine use(p, n, passes)")
    p.line("integer :: n, passes, i, r")
    p.line("real(8) :: p(n)")
    p.line("do r = 1, passes; do i = 1, n; total = total + p(i); end do; end do")
    p.line("end subroutine")
    p.line("end module")
    p.line("program main")
    p.line("use uses")
    p.line("integer :: state")
    kinds = [1, 2, 3, 4, 5, 3]
    declared = [p.line("") for _ in kinds]
    for k, line in zip(kinds, declared):
        p.lines[line - 1] = "real(8), allocatable :: " + ", ".join("%s(:)" % x for x in fortran_line(p, k))
    for variable, n, passes, line, shown, blocks, members in p.arrays:
        p.line("call use(%s, %d, %d)" % (variable, n, passes))
    for variable, n, passes, line, shown, blocks, members in p.arrays:
        p.line("print '(i0,1x,a,4(1x,i0))', %d, '%s', %d, 1, %d, loc(%s)" % (line, shown, n * 8, n * passes, variable))
    p.line("if (total == 0.5) stop 1")
    p.line("end program")


def fix(lines):
    """Writes lines of free form in fixed form."""
    fixed, goes_on = [], False
    for text in lines:
        code = re.sub(r" *(&.*)?$", "", text)
        fixed.append(("     %s" % "&1*"[len(fixed) % 3] if goes_on else "      ") + code.replace("! allocate(z(1))", ""))
        goes_on = "&" in text
    return fixed


def make(language, seed):
    p = Program(seed)
    make_fortran(p) if language in ("fortran", "fixed") else make_c(p, language == "c++")
    if language == "fixed":
        p.lines = fix(p.lines)
    print("\n".join(p.lines))


class Array:
    """What the program prints of an array."""

    def __init__(self, words):
        self.line, self.bytes, self.blocks, self.loads = int(words[0]), int(words[2]), int(words[3]), int(words[4])
        self.start = re.sub(r"\.(data|get)\(\)$", "", words[1].replace("_=", " =").replace("=_", "= "))
        self.address = 0 if words[5] == "(nil)" else int(words[5], 0)

    def is_called(self, name):
        place, _, text = name.partition(" ")
        end = "" if self.start.endswith("(") or " = " in self.start or self.start == "malloc" else r"( = |$| #|\.| *\()"
        return re.search(":%d$|:%d$" % (self.line, self.line - 1), place) and re.match(re.escape(self.start) + end, text)


def rows_of(profile):
    """Returns the name, bytes, blocks and loads of each object."""
    d = json.load(open(profile))
    a, x = d["allocations"], d["accesses"]
    loads = {}
    for o, n in zip(x["object"], x["loads"]):
        loads[o] = loads.get(o, 0) + (n or 0)
    return [(a["name"][i], int(a["all_bytes"][i]), a["blocks"][i], loads.get(a["object"][i], 0))
            for i in range(len(a["name"]))]


def check(profile, output, pages=None, events=None):
    """Returns what is wrong."""
    rows, wrong, arrays = rows_of(profile), [], []
    for text in open(output):
        array = Array(text.split())
        fits = [r for r in rows if array.is_called(r[0]) and (r[1], r[2]) == (array.bytes, array.blocks)]
        if not fits or abs(fits[0][3] - array.loads) > 8 * array.blocks:
            wrong.append("%s: %s of %s" % (text.strip(), fits, [r for r in rows if ":%d " % array.line in r[0]]))
        else:
            arrays.append((array, fits[0][0]))
    if pages:
        loads = {r["object"]: int(r["loads"]) for r in csv.DictReader(open(pages))}
        wrong += ["pages: %s has %s loads, not %d" % (name, loads.get(name), array.loads)
                  for array, name in arrays if abs(loads.get(name, 0) - array.loads) > 8 * array.blocks]
    if events:
        loads = [r for r in csv.DictReader(open(events)) if r["kind"] == "load"]
        for array, name in arrays:
            objects = set(r["object"] for r in loads if 0 <= int(r["address"], 0) - array.address < array.bytes)
            if array.address and objects != {name}:
                wrong.append("flow: what is accessed in %s is called %s" % (name, objects))
    return wrong if arrays or wrong else ["nothing was compared"]


if sys.argv[1] == "make":
    make(sys.argv[2], int(sys.argv[3]))
else:
    found = check(*sys.argv[2:])
    print("\n".join(found))
    sys.exit(bool(found))
