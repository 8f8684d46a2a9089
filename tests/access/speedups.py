"""Pairs of programs, before and after a rewrite, for tests/access/speedups.sh.

  speedups.py list                  the numbers of all pairs
  speedups.py make N FILE.c         writes pair N; -DAFTER makes it the rewritten one
  speedups.py both FILE.c           writes what times both of a pair in turn (-DBOTH, -DPART(name)=before_##name)
  speedups.py roofs OUT FILE…       the highest rate of each roof of several files of ompp machine
  speedups.py best FILE…            the file of those that a program printed whose loops took the least time
  speedups.py traffic N BEFORE.json AFTER.json REPORT.csv REPORT_AFTER.csv
                                    whether misses are as foretold, and the change is named where it saves some
  speedups.py judge N REPORT.csv TURNS…
                                    prints how many times as fast it was, and from where to where it was said to be;
                                    returns 0 where that holds, 1 where not, 2 where nothing was said

Each program has one region, which is visited several times.
"""
import json
import statistics
import sys

import report_csv

VISITS = 10
OFF = 0.07  # what times of two runs differ by, beside others


def members(n):
    return " ".join("double m%d;" % i for i in range(n))


def apart(n_members, n, body):
    """An array of structures, and then an array for each member.  M(k, i) is member k of element i."""
    arrays = "".join("static double *m%d; " % k for k in range(n_members))
    allocate = "".join("m%d = malloc(N * sizeof(double)); " % k for k in range(n_members))
    fill = " ".join("M(%d, i) = i %% 7 + 1;" % k for k in range(n_members))
    return program("enum { N = %d };\n#ifdef AFTER\n%s\n#define M(k, i) m##k[i]\n#else\nstruct s { %s };\n"
                   "static struct s *s;\n#define M(k, i) s[i].m##k\n#endif" % (n, arrays, members(n_members)),
                   "\n#ifdef AFTER\n%s\n#else\ns = malloc(N * sizeof *s);\n#endif\n"
                   "for (long i = 0; i < N; i++) { %s }" % (allocate, fill),
                   "for (long i = 0; i < N; i++) { %s }" % body)


def split(n_hot, n_cold, n, body):
    """An array of structures, and then one of those members that are used, and one of the others: H(k, i), C(k, i)."""
    hot = " ".join("double h%d;" % i for i in range(n_hot))
    cold = " ".join("double c%d;" % i for i in range(n_cold))
    fill = " ".join(["H(%d, i) = i %% 7 + 1;" % k for k in range(n_hot)] +
                    ["C(%d, i) = i;" % k for k in range(n_cold)])
    return program("enum { N = %d };\n#ifdef AFTER\nstruct h { %s }; struct c { %s };\nstatic struct h *h;\n"
                   "static struct c *c;\n#define H(k, i) h[i].h##k\n#define C(k, i) c[i].c##k\n#else\n"
                   "struct s { %s %s };\nstatic struct s *s;\n#define H(k, i) s[i].h##k\n#define C(k, i) s[i].c##k\n"
                   "#endif" % (n, hot, cold, hot, cold),
                   "\n#ifdef AFTER\nh = malloc(N * sizeof *h); c = malloc(N * sizeof *c);\n#else\n"
                   "s = malloc(N * sizeof *s);\n#endif\nfor (long i = 0; i < N; i++) { %s }" % fill,
                   "for (long i = 0; i < N; i++) { %s }" % body)


def half(n, body):
    """An array of double, and then of float."""
    return program("enum { N = %d };\n#ifdef AFTER\ntypedef float real;\n#else\ntypedef double real;\n#endif\n"
                   "static real *a; static double *b, *c;" % n,
                   "a = malloc(N * sizeof *a); b = malloc(N * sizeof *b); c = malloc(N * sizeof *c);\n"
                   "for (long i = 0; i < N; i++) a[i] = b[i] = c[i] = i % 7 + 1;",
                   "for (long i = 0; i < N; i++) { %s }" % body, "a[argc] + b[argc] + c[argc]")


def matrices(n, m):
    return "enum { N = %d, M = %d };\nstatic double a[N][M], b[M][N], c[N][M];" % (n, m)


FILLED = ("for (long i = 0; i < N; i++) for (long j = 0; j < M; j++) { a[i][j] = i + j; b[j][i] = i - j; c[i][j] = 1; }")


USED = "a[argc][argc] + b[argc][argc] + c[argc][argc]"


def interchanged(n, m, body):
    return program(matrices(n, m), FILLED, "\n#ifdef AFTER\nfor (long i = 0; i < N; i++)\nfor (long j = 0; j < M; j++)\n"
                   "#else\nfor (long j = 0; j < M; j++)\nfor (long i = 0; i < N; i++)\n#endif\n{ %s }" % body, USED)


def blocked(n, m, body):
    return program(matrices(n, m), FILLED, "\n#ifdef AFTER\n#define LEAST(x, y) ((x) < (y) ? (x) : (y))\n"
                   "for (long ii = 0; ii < N; ii += 8)\nfor (long jj = 0; jj < M; jj += 8)\n"
                   "for (long i = ii; i < LEAST(ii + 8, N); i++)\nfor (long j = jj; j < LEAST(jj + 8, M); j++)\n"
                   "#else\nfor (long i = 0; i < N; i++)\nfor (long j = 0; j < M; j++)\n#endif\n{ %s }" % body, USED)


def padded(rows, pitch, body):
    """Rows whose distance is a power of two, and then a line more behind each 4 KiB."""
    return program("enum { N = %d, M = %d };\n#ifdef AFTER\nenum { PITCH = M + 8 * (M / 512 | 1) };\n#else\n"
                   "enum { PITCH = M };\n#endif\nstatic double a[N][PITCH] __attribute__((aligned(4096)));" % (rows, pitch),
                   "for (long i = 0; i < N; i++) for (long j = 0; j < M; j++) a[i][j] = 1;", body, "a[argc][argc]")


def program(declarations, start, loops, used="0"):
    """With BOTH a part of a program that runs both: its functions, named by PART."""
    return """#include <stdio.h>
#include <stdlib.h>
#include <time.h>
%s
#ifndef PART
#define PART(name) name
#endif
void PART(fill)(int argc)
{
%s
(void)argc;
}
__attribute__((noinline)) double PART(loops)(void)
{
double sum = 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
{
%s
}
return sum;
}
double PART(used)(int argc) { (void)argc; return %s; }
#ifndef BOTH
int main(int argc, char **argv)
{
struct timespec begin, end;
double sum = 0;
PART(fill)(argc);
clock_gettime(CLOCK_MONOTONIC, &begin);
for (int visit = 0; visit < %d; visit++)
sum += PART(loops)();
clock_gettime(CLOCK_MONOTONIC, &end);
printf("%%.0f %%g\\n", (end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec, sum + PART(used)(argc));
(void)argv;
}
#endif
""" % (declarations, start, loops, used, VISITS)


BOTH = """#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { TURNS = 61 };
void before_fill(int), after_fill(int);
double before_loops(void), after_loops(void);
static double cpu(void)
{
struct timespec t;
clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
return t.tv_sec * 1e9 + t.tv_nsec;
}
static double turn(double (*loops)(void))
{
double begin;
loops();
begin = cpu();
loops();
return cpu() - begin;
}
int main(int argc, char **argv)
{
before_fill(argc);
after_fill(argc);
for (int i = 0; i < TURNS; i++) {
double before = turn(before_loops), after = turn(after_loops);
printf("%.0f %.0f\\n", before, after);
}
(void)argv;
}
"""


MORE = 400000
PAIRS = [
    ("apart", apart(8, MORE, "M(0, i) *= 1.5;")),
    ("apart", apart(8, MORE, "M(0, i) += M(3, i);")),
    ("apart", apart(4, 2 * MORE, "M(1, i) = M(2, i);")),
    ("apart", apart(16, MORE // 2, "M(0, i) = 2 * M(1, i);")),
    ("apart", apart(6, MORE, "M(5, i) += 1;")),
    ("apart", apart(8, MORE, "M(7, i) = M(6, i) + M(5, i);")),
    ("apart", apart(12, MORE // 2, "M(2, i) = 3;")),
    ("apart", apart(5, MORE, "M(0, i) -= M(4, i);")),
    ("split", split(2, 6, MORE, "sum += H(0, i) + H(1, i);")),
    ("split", split(1, 7, MORE, "sum += H(0, i);")),
    ("split", split(2, 6, MORE, "H(0, i) += H(1, i);")),
    ("split", split(3, 9, MORE // 2, "H(2, i) += H(0, i) + H(1, i);")),
    ("split", split(4, 12, MORE // 2, "H(0, i) += H(1, i) * H(2, i) + H(3, i);")),
    ("half", half(2 * MORE, "a[i] = b[i];")),
    ("half", half(3 * MORE, "a[i] += 1;")),
    ("half", half(4 * MORE, "a[i] *= 1.5;")),
    ("half", half(2 * MORE, "c[i] = a[i];")),
    ("interchanged", interchanged(1000, 1100, "a[i][j] += 1;")),
    ("interchanged", interchanged(1500, 700, "c[i][j] = a[i][j];")),
    ("interchanged", interchanged(1024, 1024, "a[i][j] *= 0.5;")),
    ("interchanged", interchanged(700, 1400, "sum += a[i][j];")),
    ("interchanged", interchanged(900, 900, "a[i][j] = c[i][j] + a[i][j];")),
    ("blocked", blocked(1000, 1100, "a[i][j] = b[j][i];")),
    ("blocked", blocked(1500, 700, "a[i][j] += b[j][i];")),
    ("blocked", blocked(1024, 1024, "c[i][j] = b[j][i] + a[i][j];")),
    ("blocked", blocked(900, 1300, "b[j][i] = a[i][j];")),
    ("padded", padded(256, 1024, "for (long j = 0; j < M; j++) for (long i = 0; i < N; i++) a[i][j] += 1;")),
    ("padded", padded(64, 4096, "for (long j = 0; j < M; j++) for (long i = 0; i < N; i++) a[i][j] *= 0.5;")),
    ("padded", padded(512, 512, "for (long j = 0; j < M; j++) for (long i = 0; i < N; i++) sum += a[i][j];")),
    ("padded", padded(128, 2048, "for (long j = 0; j < M; j++) for (long i = 1; i < N; i++) a[i][j] = a[i - 1][j];")),
]
NAMES = {"apart": "structure of arrays", "split": "split: ", "half": "elements of half the size",
         "padded": "padded rows", "interchanged": "interchanged", "blocked": "in blocks"}


def roofs(out, files):
    best, lines = {}, []
    for path in files:
        lines = open(path).read().splitlines()
        for line in lines:
            words = line.split(" ", 4)
            if words[0] in ("flops", "divisions", "bytes"):
                key = (words[0], words[1], words[4])
                if key not in best or int(words[2]) > int(best[key].split(" ")[2]):
                    best[key] = line
    with open(out, "w") as f:
        for line in lines:
            words = line.split(" ", 4)
            f.write(best.get((words[0], words[1], words[4] if len(words) > 4 else ""), line) + "\n")


def rows_of(report, kind):
    """The rows of the region that name the change."""
    for one in report_csv.rows(report, ""):
        if one["region"] != "(serial)" and one.get("layout", one.get("loops", "")).startswith(NAMES[kind]):
            yield one


def is_named(report, kind):
    return any(True for _ in rows_of(report, kind))


def said(report, kind):
    """From where to where the program would be that many times as fast; None where nothing is said.  Several objects
    have this layout at once: the largest gain is said for the one that has most."""
    for one in rows_of(report, kind):
        if one.get("faster", "-") not in ("-", ""):
            return float(one["faster"]), float(one["to"])
    return None


def table(profile, name):
    columns = profile[name]
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def misses(profile, level, is_region):
    """Of all objects, in the region or outside of it, where the arrays are filled."""
    regions = [path["region"] for path in table(profile, "paths")]
    return sum(access[level + "_misses"] for access in table(profile, "accesses")
               if (regions[access["path"]] is not None) == is_region)


def foretold(profile, level, kind):
    """Today's misses of the region's objects, and those of the change in place of those of what is changed."""
    then = misses(profile, level, True)
    for row in table(profile, "layouts"):
        name = profile["objects"]["name"][row["object"]]
        if (row["kind"] == kind and row["region"] is not None and row["replayed"] >= 0.9 * row["accesses"] and
                (kind != "half" or " a = " in name)):
            saved = row[level + "_misses"] - row[level + "_misses_then"]
            then -= saved * row["accesses"] / row["replayed"]
    return then


def traffic(n, before, after, report, report_after):
    """Whether the rewritten program misses what was foretold: to within 5 %, or 1 % of what it misses today (padded
    rows: 3 %).  Whether the change is named where a tenth is really saved, and nothing is lost where the arrays are
    filled; and not where nothing is saved, nor for the rewritten program."""
    kind = PAIRS[n][0]
    before, after = json.load(open(before)), json.load(open(after))
    words, wrong, saves, loses = [], [], False, False
    for level in "l1", "l2":
        now, then, real = misses(before, level, True), foretold(before, level, kind), misses(after, level, True)
        words.append("%s %d: %d, really %d" % (level.upper(), now, then, real))
        off = max(0.05 * real, (0.03 if kind == "padded" else 0.01) * now, 1000)
        if abs(then - real) > off:
            wrong.append("misses of %s" % level.upper())
        saves |= real < 0.88 * now
        loses |= real > 0.92 * now or misses(after, level, False) > 1.01 * misses(before, level, False)
    if saves and not loses and not is_named(report, kind):
        wrong.append("it is not named")
    if not saves and now * 0.98 < real and is_named(report, kind):
        wrong.append("it is named, and saves nothing")
    if kind != "half" and is_named(report_after, kind):
        wrong.append("it is named once more")
    print("%2d %-12s misses of %s%s" % (n, kind, "; of ".join(words), "".join("; WRONG: " + w for w in wrong)))
    return len(wrong)


def times_as_fast(path):
    """The median of the turns, each of which has the program before and after the rewrite side by side."""
    turns = [list(map(float, line.split())) for line in open(path)]
    return statistics.median(before / after for before, after in turns)


def judge(n, report, *runs):
    kind = PAIRS[n][0]
    faster = statistics.median(times_as_fast(run) for run in runs)
    interval = said(report, kind)
    print("%2d %-12s %6.2f times as fast; said: %s" % (
        n, kind, faster, "nothing" if not interval else "%.2f to %.2f" % interval))
    if not interval:
        return 2
    return 0 if interval[0] * (1 - OFF) <= faster <= interval[1] * (1 + OFF) else 1


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "list":
        print(*range(len(PAIRS)))
    elif what == "make":
        open(sys.argv[3], "w").write(PAIRS[int(sys.argv[2])][1])
    elif what == "both":
        open(sys.argv[2], "w").write(BOTH)
    elif what == "roofs":
        roofs(sys.argv[2], sys.argv[3:])
    elif what == "best":
        print(min(sys.argv[2:], key=lambda path: float(open(path).read().split()[0])))
    elif what == "traffic":
        sys.exit(traffic(int(sys.argv[2]), *sys.argv[3:]))
    elif what == "judge":
        sys.exit(judge(int(sys.argv[2]), *sys.argv[3:]))
