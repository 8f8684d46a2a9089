"""Pairs of programs, one with data as they are and one rewritten with another layout, for tests/access/layouts.sh.

  layouts.py make SEED KIND BEFORE.c AFTER.c    writes a pair; KIND: apart, split, half, padded, none
  layouts.py check KIND BEFORE.json AFTER.json…  compares what the first predicts with what the second misses, by region
  layouts.py names KIND BEFORE.json AFTER.json REPORT
                                                whether a report in CSV names the layout where it saves a fifth, and not
                                                where it saves nothing

Each loop is a parallel region of one thread, so that its line names it in both programs.
"""
import collections
import json
import random
import sys

TYPES = {"double": 8, "long": 8, "int": 4, "float": 4, "short": 2, "char": 1}
MOST_OFF, LEAST_MISSES, LEAST_NAMED = 0.05, 2000, 1000
OF_NOW = collections.defaultdict(lambda: 0.01, padded=0.03)  # so much of today's misses may it be off, too
# A split is found while the program runs, and its model's caches start empty: up to so many misses more.
LINES = {"l1": 32 * 1024 // 64, "l2": 256 * 1024 // 64}


class Pair:
    def __init__(self, seed, kind):
        self.chance = random.Random("%s %s" % (seed, kind))
        self.kind = kind
        self.before, self.after = [], []
        self.both("#include <stdio.h>", "#include <stdlib.h>")
        getattr(self, kind)()
        self.both('printf("%g\\n", (double)sum);', "return 0;", "}")

    def both(self, *lines):
        self.before += lines
        self.after += lines

    def start(self):
        self.both("int main(int argc, char **argv)", "{", "double sum = 0;")

    def loop(self, times, n, before, after, head=""):
        """A region in both programs, at the same line."""
        while len(self.before) < len(self.after):
            self.before.append("")
        while len(self.after) < len(self.before):
            self.after.append("")
        self.both("for (int r = 0; r < %d; r++) {" % times,
                  "#pragma omp parallel for num_threads(1) reduction(+ : sum)",
                  "for (long i = 0; i < %d; i++) {" % n, head)
        self.before.append(before)
        self.after.append(after)
        self.both("} }")

    @staticmethod
    def gap(k):
        return "if (gap) { char *volatile moved = malloc((size_t)(gap * %d)); } " % (k + 1)

    def structure(self):
        n = self.chance.randint(3, 12)
        return [(self.chance.choice(list(TYPES)), "m%d" % i) for i in range(n)]

    def structures(self, groups_of):
        """Loops over an array of structures, whose members the rewritten program has in several arrays.

        groups_of: makes the groups of the structure, lists of members
        """
        members = self.structure()
        types = dict((m, t) for t, m in members)
        hot, groups = groups_of(members)
        n = self.chance.choice([3000, 20000, 60000, 150000])
        at = {m: "g%d[%%s].%s" % (k, m) for k, g in enumerate(groups) for m in g}
        self.before.append("struct s { %s };" % " ".join("%s %s;" % m for m in members))
        for k, g in enumerate(groups):
            # the strictest alignment first, so that there is no padding
            self.after.append("struct g%d { %s };" % (k, " ".join(
                "%s %s;" % (types[m], m) for m in sorted(g, key=lambda m: -TYPES[types[m]]))))
        self.start()
        self.before.append("struct s *s = malloc(%d * sizeof *s);" % n)
        # an argument moves the arrays
        self.after.append("const long gap = argc > 1 ? atol(argv[1]) : 0;")
        for k in range(len(groups)):
            self.after.append(self.gap(k) + "struct g%d *g%d = malloc(%d * sizeof *g%d);" % (k, k, n, k))
        self.both("unsigned *map = malloc(%d * sizeof *map);" % n)
        names = [m for _, m in members]

        def text(expression, place):
            return (expression(lambda m: "s[%s].%s" % (place, m)), expression(lambda m: at[m] % place))

        self.loop(1, n, *text(lambda a: " ".join("%s = i %% 100;" % a(m) for m in names), "i"),
                  head="map[i] = (unsigned)((i * 2654435761u + 12345) %% %d);" % n)
        for _ in range(self.chance.randint(1, 3)):
            used = [m for m in hot if self.chance.random() < 0.7] if self.kind == "apart" else hot
            used = used or hot[:1]
            how = self.chance.choice(["walk", "walk", "random", "stride", "near", "store", "block"])
            step, n_here, place, head = 1, n, "i", ""
            if how == "random":
                place, head = "j", "unsigned j = map[i];"
            elif how == "stride":
                step = self.chance.choice([2, 3, 5])
                n_here, place = n // step, "i * %d" % step
            elif how == "near":
                n_here, place, head = n - 4, "j", "for (long j = i; j < i + 4; j += 3)"
            elif how == "block":
                place, head = "j", "long j = i %% %d;" % (n // 4)

            def expression(a, store=how == "store"):
                result = "sum += %s;" % " + ".join(a(m) for m in used)
                return "{ %s %s = (%s)(i %% 50); }" % (result, a(used[-1]), types[used[-1]]) if store else result

            self.loop(self.chance.randint(2, 4) if self.kind == "apart" else 20, n_here, *text(expression, place),
                      head=head)

    def apart(self):
        def groups(members):
            names = [m for _, m in members]
            return self.chance.sample(names, self.chance.randint(1, len(names))), [[m] for m in names]

        self.structures(groups)

    def split(self):
        def groups(members):
            names = [m for _, m in members]
            hot = self.chance.sample(names, self.chance.randint(1, len(names) - 1))
            return hot, [hot, [m for m in names if m not in hot]]

        self.structures(groups)

    def half(self):
        n = self.chance.choice([10000, 60000, 200000])
        self.start()
        self.before.append("double *a = malloc(%d * sizeof *a), *b = malloc(%d * sizeof *b);" % (n, n))
        self.after.append("const long gap = argc > 1 ? atol(argv[1]) : 0;")
        for k, name in enumerate("ab"):
            self.after.append(self.gap(k) + "float *%s = malloc(%d * sizeof *%s);" % (name, n, name))
        step = self.chance.choice([1, 1, 2, 7, 12])
        for times, n_here, body in [(1, n, "a[i] = i % 100; b[i] = 1;"),
                                    (3, n // step, "sum += a[i * %d] + b[i];" % step),
                                    (2, n, "sum += a[i * 7919 %% %d];" % n),
                                    (3, n // 3, "b[i] = a[i + %d] + 1;" % (n // 2))]:
            self.loop(times, n_here, body, body)

    def padded(self):
        pitch = self.chance.choice([512, 1024, 2048])
        rows = self.chance.choice([64, 128, 256])
        # a line for each 4096 bytes, and an odd number of them
        self.before.append("static double a[%d][%d] __attribute__((aligned(4096)));" % (rows, pitch))
        self.after.append("static double a[%d][%d] __attribute__((aligned(4096)));" % (
            rows, pitch + 8 * (pitch // 512 | 1)))
        self.start()
        # down the columns: the lines of all rows in turn
        body = "for (long k = 0; k < %d; k++) sum += a[k][i];" % rows
        self.loop(2, self.chance.choice([256, 500]), body, body)
        body = "for (long k = 0; k < %d; k++) a[k][i] = i + k;" % rows
        self.loop(2, self.chance.choice([128, 300]), body, body)

    def none(self):
        """Nothing to be won: all of each structure is used, or it is in the caches; words of 4 bytes in order."""
        n = self.chance.choice([10000, 60000])
        types = self.chance.choice([["int", "float"], ["int"] * 4, ["double"] * 8])
        members = [(t, "m%d" % i) for i, t in enumerate(types)]
        self.both("struct s { %s };" % " ".join("%s %s;" % m for m in members))
        self.start()
        self.both("struct s *s = malloc(%d * sizeof *s), *few = malloc(100 * sizeof *few);" % n,
                  "int *a = malloc(%d * sizeof *a);" % n)
        text = " ".join("s[i].%s = few[i %% 100].%s = 1;" % (m, m) for _, m in members) + " a[i] = i;"
        self.loop(1, n, text, text)
        text = "sum += few[i * 7 %% 100].m0 + a[i] + %s;" % " + ".join("s[i].%s" % m for _, m in members)
        self.loop(4, n, text, text)


def rows(profile, table):
    columns = profile[table]
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def is_data(profile, o):
    name = profile["objects"]["name"][o]
    return " s = " in name or " g" in name or name.endswith(("a", "b")) or " a = " in name or " b = " in name


def measured(profile):
    """Misses by line of the region and level, of the data that have layouts."""
    sums = collections.Counter()
    regions, paths = rows(profile, "regions"), rows(profile, "paths")
    for a in rows(profile, "accesses"):
        region = paths[a["path"]]["region"]
        if region is None or not is_data(profile, a["object"]):
            continue
        for level in ("l1", "l2"):
            sums[regions[region]["begin_line"], level] += a[level + "_misses"]
    return sums


def predicted(profile, kind):
    sums, regions = collections.Counter(), rows(profile, "regions")
    for x in rows(profile, "layouts"):
        if x["kind"] != kind or x["region"] is None or not is_data(profile, x["object"]):
            continue
        if x["replayed"] < 0.9 * x["accesses"]:
            sums[regions[x["region"]]["begin_line"], "partly"] += 1
            continue
        for level in ("l1", "l2"):
            sums[regions[x["region"]]["begin_line"], level] += (
                x[level + "_misses_then"] * x["accesses"] / x["replayed"])
    return sums


def check(kind, before, *afters):
    """The rewritten program was run several times, its arrays at other places each time."""
    before, afters = json.load(open(before)), [measured(json.load(open(after))) for after in afters]
    foretold, now = predicted(before, kind), measured(before)
    n, n_off, worst = 0, 0, 0
    for key in sorted(afters[0]):
        least, most = (f(after[key] for after in afters) for f in (min, max))
        if max(most, now[key]) < LEAST_MISSES or (key[0], "partly") in foretold or key not in foretold:
            continue
        n += 1
        empty = LINES[key[1]] if kind == "split" else 0
        off = max(least - foretold[key], foretold[key] - empty - most, 0)
        off /= max(least, LEAST_MISSES, now[key] * OF_NOW[kind] / MOST_OFF)
        worst = max(worst, off)
        n_off += off > MOST_OFF
        if off > MOST_OFF:
            print("line %d: %s: predicted %d, misses %d to %d, before %d" % (
                *key, foretold[key], least, most, now[key]))
    print("%d numbers, %d off, by %.1f %% at most" % (n, n_off, worst * 100))
    return worst <= 3 * MOST_OFF


def names(kind, before, after, report):
    before, after = measured(json.load(open(before))), measured(json.load(open(after)))
    text = {"apart": "structure of arrays", "split": "split: ", "half": "elements of half", "padded": "padded rows"}
    named, table, good = set(), False, True
    for line in open(report):
        if line.startswith("##"):
            table = line.startswith("##BEG layouts")
        elif table and text[kind] in line:
            named |= {number for number, _ in before if ",%d," % number in line}
    for number in {number for number, _ in before}:
        pairs = [(before[number, level], after[number, level]) for level in ("l1", "l2")]
        costs = any(b > LEAST_MISSES and a > 1.2 * b for b, a in pairs)
        saves = any(b > 2 * LEAST_MISSES and a < 0.8 * b for b, a in pairs)
        if number in named and (costs or not any(b >= LEAST_NAMED * 0.9 and a < b * 0.97 for b, a in pairs)):
            print("line %d: named, and misses are %s" % (number, pairs))
            good = False
        NAMED["named" if number in named else "missed" if saves and not costs else "silent"] += 1
    return good


NAMED = collections.Counter()


def main(what, *arguments):
    if what == "make":
        pair = Pair(arguments[0], arguments[1])
        for path, lines in zip(arguments[2:], (pair.before, pair.after)):
            with open(path, "w") as file:
                file.write("\n".join(lines) + "\n")
    elif what == "check":
        sys.exit(not check(*arguments))
    elif what == "names":
        good = names(*arguments)
        print(*("%d %s" % (NAMED[key], key) for key in ("named", "missed", "silent")))
        sys.exit(not good)


main(*sys.argv[1:])
