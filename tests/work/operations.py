# operations.py make SEED: prints a program of random operations on numbers, in a few regions.  Compiled with -DTELL it
# counts each operation itself, and prints a line for each region: its number, and how often each kind of operation was
# executed.  Nothing is executed that a compiler might leave out: operands are elements of arrays that others could have
# written, no operand stands twice in an expression, and each result is stored.
# operations.py told LINES PROFILE.json [KIND…]: compares these lines with the counters of the regions, in their order; all
# kinds, or these.
# operations.py executed PROGRAM CALLGRIND FUNCTION: prints the floating-point operations of the functions whose names fit
# the expression, as the processor executed them: instructions by valgrind --tool=callgrind --dump-instr=yes, and what each
# does by the disassembly.  The program's code must be where it says (-no-pie).
# operations.py kernels PROFILE.json N…: the flops of the parallel constructs and tasks, in their order, are these numbers.
# operations.py instructions WANTED PROFILE.json TIMES: a line "COUNTER N TEXT" for each parallel region, in their order: the
# counter has N more, so many times, than in the second region, which has no operations; nor has the first one.
# operations.py total PROFILE.json COUNTER CONSTRUCT: prints the sum of a counter over the regions of a construct.
import json, random, re, subprocess, sys

rng = random.Random()
KINDS = ["add", "mul", "div", "sqrt", "single", "double", "compare", "convert", "int", "int_mul", "int_div"]
N_ARRAYS, N_REGIONS = 8, 4

HEAD = """#include <math.h>
#include <stdio.h>
#define N 40
double d[8][N];
float f[8][N];
long k[8][N];
%s
#ifdef TELL
static long n[%d][%d];
static int region;
#define SEEN(kind)     __atomic_add_fetch(&n[region][kind], 1, __ATOMIC_RELAXED)
#define SEEN2(a, b)    (SEEN(a), SEEN(b))
#else
#define SEEN(kind)     ((void)0)
#define SEEN2(a, b)    ((void)0)
#endif
#define ADD(a, b)      (SEEN2(add, double_), (a) + (b))
#define SUB(a, b)      (SEEN2(add, double_), (a) - (b))
#define MUL(a, b)      (SEEN2(mul, double_), (a) * (b))
#define DIV(a, b)      (SEEN2(div, double_), (a) / (b))
#define ROOT(a)        (SEEN2(sqrt_, double_), sqrt(fabs(a)))
#define ADDF(a, b)     (SEEN2(add, single), (a) + (b))
#define SUBF(a, b)     (SEEN2(add, single), (a) - (b))
#define MULF(a, b)     (SEEN2(mul, single), (a) * (b))
#define DIVF(a, b)     (SEEN2(div, single), (a) / (b))
#define WIDE(a)        (SEEN(convert), (double)(a))
#define NARROW(a)      (SEEN(convert), (float)(a))
#define LESS(a, b)     (SEEN(compare), (a) < (b))
#define IADD(a, b)     (SEEN(int_), (a) + (b))
#define IXOR(a, b)     (SEEN(int_), (a) ^ (b))
#define IMUL(a, b)     (SEEN(int_mul), (a) * (b))
#define IREM(a, b)     (SEEN(int_div), (a) %% (b))
#define ODD(a)         (SEEN(int_), (a) & 1)
double other(double x);
"""


def names():
    return "enum { " + ", ".join(k + "_" if k in ("double", "sqrt", "int") else k for k in KINDS) + " };"


class Leaves:
    """Elements, none of which is taken twice."""

    def __init__(self, index):
        self.index = index
        self.left = {t: rng.sample(range(N_ARRAYS), N_ARRAYS) for t in "dfk"}

    def take(self, kind):
        return "%s[%d][%s]" % (kind, self.left[kind].pop(), self.index)

    def has(self, kind):
        return len(self.left[kind]) > 0


def double(leaves, depth):
    what = rng.random()
    if depth == 0 or what < 0.15 or not leaves.has("d"):
        return leaves.take("d") if leaves.has("d") else "1.25"
    if what < 0.25:
        return "ROOT(%s)" % double(leaves, depth - 1)
    if what < 0.35 and leaves.has("f"):
        return "WIDE(%s)" % single(leaves, depth - 1)
    if what < 0.4 and leaves.has("k"):
        return "WIDE(%s)" % leaves.take("k")
    return "%s(%s, %s)" % (rng.choice(["ADD", "SUB", "MUL", "DIV"]), double(leaves, depth - 1), double(leaves, depth - 1))


def single(leaves, depth):
    if depth == 0 or not leaves.has("f") or rng.random() < 0.2:
        return leaves.take("f") if leaves.has("f") else "1.25f"
    return "%s(%s, %s)" % (rng.choice(["ADDF", "SUBF", "MULF", "DIVF"]), single(leaves, depth - 1), single(leaves, depth - 1))


def integer(leaves, depth):
    if depth == 0 or not leaves.has("k"):
        return leaves.take("k") if leaves.has("k") else "37"
    operation = rng.choice(["IADD", "IXOR", "IMUL", "IREM"])
    first = integer(leaves, depth - 1)
    if operation == "IREM":
        return "IREM(%s, %s)" % (first, leaves.take("k") if leaves.has("k") else "37")
    return "%s(%s, %s)" % (operation, first, integer(leaves, depth - 1))


def assignment(index):
    leaves, kind = Leaves(index), rng.choice("ddddffk")
    if kind == "d":
        return "d[%d][%s] = %s;" % (rng.randrange(N_ARRAYS), index, double(leaves, 3))
    if kind == "f":
        value = single(leaves, 3) if rng.random() < 0.7 else "NARROW(MUL(%s, %s))" % (leaves.take("d"), double(leaves, 1))
        return "f[%d][%s] = %s;" % (rng.randrange(N_ARRAYS), index, value)
    # a divisor stays what it was: it is never written
    return "out[%s] = %s;" % (index, integer(leaves, 2))


def statements(index, depth, count):
    lines = []
    for _ in range(count):
        what = rng.random()
        if depth == 0 or what < 0.5:
            lines.append(assignment(index))
        elif what < 0.6:
            lines += ["if (ODD(k[%d][%s])) {" % (rng.randrange(N_ARRAYS), index), *statements(index, depth - 1, 2), "}"]
        elif what < 0.7:
            leaves = Leaves(index)
            lines += ["if (LESS(%s, %s)) {" % (leaves.take("d"), leaves.take("d")), *statements(index, depth - 1, 1),
                      "} else {", *statements(index, depth - 1, 2), "}"]
        elif what < 0.85:
            inner = index + "i"
            lines += ["for (long %s = 0; %s < %d; %s = IADD(%s, 1)) {" % (inner, inner, rng.randrange(1, 20), inner, inner),
                      *statements(inner, depth - 1, 2), "}"]
        elif what < 0.93:
            left = "left_" + index
            lines += ["for (long %s = k[%d][%s]; %s > 3; %s = IADD(%s, -3)) {" %
                      (left, rng.randrange(N_ARRAYS), index, left, left, left), *statements(index, 0, 1), "}"]
        else:
            leaves = Leaves(index)
            lines.append("d[%d][%s] = other(%s);" % (rng.randrange(N_ARRAYS), index, double(leaves, 1)))
    return lines


def program():
    lines = [HEAD % (names(), N_REGIONS, len(KINDS))]
    lines.append("static double part(double x)\n{\n\treturn ADD(MUL(x, x), d[0][3]);\n}")
    lines.append("double __attribute__((noinline)) other(double x)\n{\n\treturn part(DIV(x, d[1][2]));\n}")
    for r in range(N_REGIONS):
        lines += ["static void __attribute__((noinline)) work%d(void)\n{\n\tlong out[N];" % r,
                  "for (long i = 0; i < N; i = IADD(i, 1)) {", *statements("i", 3, 4), "}",
                  "__asm__ volatile(\"\" : : \"r\"(out) : \"memory\");\n}"]
    lines.append("int main(void)\n{\n\tfor (int a = 0; a < 8; a++)\n\t\tfor (int i = 0; i < N; i++) {\n"
                 "\t\t\td[a][i] = 1 + (a * 7 + i * 3) % 11;\n\t\t\tf[a][i] = 1 + (a * 5 + i) % 7;\n"
                 "\t\t\tk[a][i] = 1 + (a * 3 + i * 5) % 13;\n\t\t}")
    for r in range(N_REGIONS):
        lines += ["#ifdef TELL\n\tregion = %d;\n#endif" % r, "#pragma omp parallel num_threads(2)",
                  "#pragma omp critical", "\twork%d();" % r]
    lines.append("#ifdef TELL\n\tfor (int r = 0; r < %d; r++) {\n\t\tprintf(\"%%d\", r);\n"
                 "\t\tfor (int i = 0; i < %d; i++)\n\t\t\tprintf(\" %%ld\", n[r][i]);\n\t\tputs(\"\");\n\t}\n#endif" %
                 (N_REGIONS, len(KINDS)))
    lines.append("\treturn 0;\n}")
    return "\n".join(lines)


# The counters of the report for KINDS; what is to be taken from the third last, which has the others in it.
COUNTERS = ["flops_add", "flops_mul", "flops_div", "flops_sqrt", "flops_single", "flops_double", "float_compares",
            "float_conversions", "intops", "intops_mul", "intops_div"]


# The sums of a counter over the threads of each region of a construct, by the line where it begins.
def by_region(profile, counter, construct):
    values = next(c["flat_values"] for c in profile["counters"] if c["name"] == counter)
    sums = {}
    for region, value in zip(profile["flat"]["region"], values):
        if profile["regions"]["construct"][region] == construct:
            line = profile["regions"]["begin_line"][region]
            sums[line] = sums.get(line, 0) + value
    return [sums[line] for line in sorted(sums)]


def told(lines, path, *kinds):
    profile = json.load(open(path))
    columns = [by_region(profile, counter, "PARALLEL") for counter in COUNTERS]
    columns[8] = [n - mul - div for n, mul, div in zip(*columns[8:])]
    wrong = False
    for line in open(lines):
        region, *want = (int(word) for word in line.split())
        got = [column[region] for column in columns]
        differences = [(k, g, w) for k, g, w in zip(KINDS, got, want) if g != w and k in (kinds or KINDS)]
        if differences:
            print("region %d:" % region, ", ".join("%s: %d of %d" % d for d in differences))
            wrong = True
    sys.exit(wrong)


# How many operations an instruction of x86-64 is.
def operations(text):
    scalar = re.match(r"v?(add|sub|mul|div|sqrt|fn?m(?:add|sub)[0-9]+)s[sd]\s", text)
    packed = re.match(r"v?(add|sub|mul|div|sqrt|fn?m(?:add|sub)[0-9]+)p([sd])\s(.*)", text)
    if scalar:
        return 2 if scalar[1].startswith("f") else 1
    if packed:
        n_bytes = 64 if "zmm" in packed[3] else 32 if "ymm" in packed[3] else 16
        return n_bytes // (4 if packed[2] == "s" else 8) * (2 if packed[1].startswith("f") else 1)
    return 1 if re.match(r"f(add|sub|mul|div|sqrt|subr|divr)p?[sl]?(\s|$)", text) else 0


def executed(program, callgrind, pattern):
    what, inside, n, address, is_call = {}, False, 0, 0, False
    for line in subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True).stdout.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if head:
            inside = bool(re.search(pattern, head[1]))
        row = re.match(r"\s*([0-9a-f]+):\s+(.*)", line)
        if row and inside and operations(row[2]):
            what[int(row[1], 16)] = operations(row[2])
    # a line of costs begins with an address, or how far it is from the one before; that after `calls=` is a call's
    for line in open(callgrind):
        costs = re.match(r"(0x[0-9a-f]+|[+-][0-9]+|\*) \S+ ([0-9]+)", line)
        if costs:
            at = costs[1]
            address = int(at, 16) if at.startswith("0x") else address if at == "*" else address + int(at)
            n += 0 if is_call else what.get(address, 0) * int(costs[2])
        is_call = line.startswith("calls=")
    print(n)


def total(path, counter, construct):
    print(sum(by_region(json.load(open(path)), counter, construct)))


def kernels(path, *want):
    profile = json.load(open(path))
    of = {}
    for construct in sorted(set(profile["regions"]["construct"])):
        if construct.startswith(("PARALLEL", "TASK")):
            lines = sorted(line for line, c in zip(profile["regions"]["begin_line"], profile["regions"]["construct"]) if c == construct)
            of.update(zip(lines, by_region(profile, "flops", construct)))
    got = [of[line] for line in sorted(of)]
    if got != [int(n) for n in want]:
        print("flops", got, "of", want)
        sys.exit(1)


def instructions(wanted, path, times):
    profile, wrong = json.load(open(path)), False
    for i, line in enumerate(open(wanted)):
        counter, n, text = line.rstrip("\n").split(" ", 2)
        of = by_region(profile, counter, "PARALLEL")
        if i and of[i] - of[1] != int(n) * int(times):
            print("%s: %s %d of %d" % (text, counter, of[i] - of[1], int(n) * int(times)))
            wrong = True
    sys.exit(wrong or len(of) != i + 1)


if sys.argv[1] == "make":
    rng.seed(int(sys.argv[2]))
    print(program())
else:
    {"told": told, "executed": executed, "instructions": instructions, "kernels": kernels,
     "total": total}[sys.argv[1]](*sys.argv[2:])
