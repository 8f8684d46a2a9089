"""Pairs of programs, one with loops as they are and one rewritten with loops in another order, for
tests/access/loop_orders.sh.

  loop_orders.py make SEED KIND BEFORE AFTER     writes a pair; KIND: interchanged, blocked, bound, none; the names'
                                                 ends say the language: .c or .f90
  loop_orders.py check KIND BEFORE.json AFTER.json REPORT
                                                 compares what the first predicts with what the second misses, by region
                                                 and object, and what the first one's report in CSV names
  loop_orders.py found BEFORE.json REPORT        compares the regions of which an order is a finding with what the report
                                                 names, and prints in how many these are blocks

Each nest is a parallel region of one thread; the regions of both programs are the same in their order.  bound: the
addresses forbid another order.  none: the loops are as they should be.
"""
import json
import random
import sys

import report_csv

MOST_OFF, OF_NOW, LEAST_MISSES = 0.05, 0.01, 2000
MOST_MORE, MORE = 0.02, 100  # misses of a level beyond those of today, with which an order is named nevertheless
BLOCK = 8  # elements of 8 bytes in a line
COLD = 1 << 14  # elements that fill all caches


class C:
    """The text of a program in C."""

    def __init__(self):
        self.declared, self.lines = [], []

    def array(self, name, *dims):
        self.declared.append("static double %s%s;" % (name, "".join("[%d]" % d for d in dims)))

    def ref(self, name, *indices):
        return name + "".join("[%s]" % i for i in indices)

    def region(self):
        self.lines += ["#pragma omp parallel num_threads(1) reduction(+ : sum)", "{", "double s = 0;"]

    def region_end(self):
        self.lines.append("}")

    def loop(self, variable, start, end, step=1):
        self.lines.append("for (long %s = %s; %s < %s; %s += %d) {" % (variable, start, variable, end, variable, step))

    def within(self, variable, start, end):
        self.loop(variable, start, "(%s + %d < %s ? %s + %d : %s)" % (start, BLOCK, end, start, BLOCK, end))

    def loop_end(self):
        self.lines.append("}")

    def put(self, text):
        self.lines.append(text + ";")

    def text(self):
        return "\n".join(["#include <stdio.h>"] + self.declared + ["int main(void)", "{", "double sum = 0;"] + self.lines +
                         ['printf("%.17g\\n", sum);', "}", ""])


class Fortran(C):
    """The same in Fortran, with the last index first."""

    def array(self, name, *dims):
        self.declared.append("real(8), save :: %s(%s)" % (name, ", ".join("0:%d" % (d - 1) for d in reversed(dims))))

    def ref(self, name, *indices):
        return "%s(%s)" % (name, ", ".join(reversed(indices)))

    def region(self):
        self.lines += ["!$omp parallel num_threads(1) reduction(+ : sum) private(s, i, j, k, ii, jj)", "s = 0"]

    def region_end(self):
        self.lines.append("!$omp end parallel")

    def loop(self, variable, start, end, step=1):
        self.lines.append("do %s = %s, %s - 1, %d" % (variable, start, end, step))

    def within(self, variable, start, end):
        self.loop(variable, start, "min(%s + %d, %s)" % (start, BLOCK, end))

    def loop_end(self):
        self.lines.append("end do")

    def put(self, text):
        self.lines.append(text)

    def text(self):
        return "\n".join(["program orders", "implicit none"] + self.declared +
                         ["real(8) :: sum, s", "integer(8) :: i, j, k, ii, jj", "sum = 0"] + self.lines +
                         ['write (*, "(es24.16)") sum', "end program", ""])


class Pair:
    def __init__(self, seed, kind, languages):
        self.chance = random.Random("%s %s" % (seed, kind))
        self.texts = [language() for language in languages]
        self.n_arrays = 0
        for p in self.texts:
            p.array("cold", COLD)
        self.filled("cold", COLD)
        kinds = {"interchanged": ["read", "store", "copy", "matvec", "matmul", "stencil", "sweep"],
                 "blocked": ["transpose", "pairs"], "bound": ["skew", "in_place"],
                 "none": ["rows", "few"]}[kind]
        for nest in self.chance.sample(kinds, min(3, len(kinds))):
            getattr(self, nest)()

    def size(self):
        return self.chance.choice([self.chance.randint(150, 260), 192, 256])

    def array(self, *dims):
        name = "a%d" % self.n_arrays
        self.n_arrays += 1
        for p in self.texts:
            p.array(name, *dims)
        self.filled(name, *dims)
        return name

    def filled(self, name, *dims):
        for p in self.texts:
            p.loop("i", "0", dims[0])
            if len(dims) > 1:
                p.loop("j", "0", dims[1])
                p.put("%s = %s" % (p.ref(name, "i", "j"), "i + 2 * j"))
                p.loop_end()
            else:
                p.put("%s = %s" % (p.ref(name, "i"), "i"))
            p.loop_end()

    def total(self, name, *dims):
        """What an array has in the end, so that both programs print it."""
        for p in self.texts:
            p.loop("i", "0", dims[0])
            if len(dims) > 1:
                p.loop("j", "0", dims[1])
                p.put("sum = sum + %s" % p.ref(name, "i", "j"))
                p.loop_end()
            else:
                p.put("sum = sum + %s" % p.ref(name, "i"))
            p.loop_end()

    def region(self, p):
        """Begins a region, in whose caches nothing is left of its arrays: what is left helps one order, and not another."""
        p.loop("i", "0", COLD)
        p.put("sum = sum + %s" % p.ref("cold", "i"))
        p.loop_end()
        p.region()

    def nest(self, n, m, body, low=0, swapped=True):
        """Loops j and i, i inside: the first program's; the second has i and j."""
        before, after = self.texts
        for p, order in (before, "ji"), (after, "ij" if swapped else "ji"):
            self.region(p)
            for v in order:
                p.loop(v, low, (n if v == "i" else m) - low)
            p.put(body(p))
            p.loop_end()
            p.loop_end()
            p.region_end()

    def read(self):
        n, m = self.size(), self.size()
        a = self.array(n, m)
        self.nest(n, m, lambda p: "sum = sum + " + p.ref(a, "i", "j"))

    def store(self):
        n, m = self.size(), self.size()
        a = self.array(n, m)
        self.nest(n, m, lambda p: p.ref(a, "i", "j") + " = i + 3 * j")
        self.total(a, n, m)

    def copy(self):
        n, m = self.size(), self.size()
        a, b = self.array(n, m), self.array(n, m)
        self.nest(n, m, lambda p: "%s = %s + 1" % (p.ref(b, "i", "j"), p.ref(a, "i", "j")))
        self.total(b, n, m)

    def stencil(self):
        n, m = self.size(), self.size()
        a, b = self.array(n, m), self.array(n, m)
        self.nest(n, m, lambda p: "%s = %s + %s + %s + %s" % (
            p.ref(b, "i", "j"), p.ref(a, "i - 1", "j"), p.ref(a, "i + 1", "j"), p.ref(a, "i", "j - 1"),
            p.ref(a, "i", "j + 1")), low=1)
        self.total(b, n, m)

    def sweep(self):
        """In place, but each order has the values of the other."""
        n, m = self.size(), self.size()
        a = self.array(n, m)
        self.nest(n, m, lambda p: "%s = (%s + %s) * 0.5" % (
            p.ref(a, "i", "j"), p.ref(a, "i - 1", "j"), p.ref(a, "i", "j - 1")), low=1)
        self.total(a, n, m)

    def matvec(self):
        n, m = self.size(), self.size()
        a, x, y = self.array(n, m), self.array(n), self.array(m)
        before, after = self.texts
        self.region(before)
        before.loop("j", "0", m)
        before.put("s = 0")
        before.loop("i", "0", n)
        before.put("s = s + %s * %s" % (before.ref(a, "i", "j"), before.ref(x, "i")))
        before.loop_end()
        before.put("%s = s" % before.ref(y, "j"))
        before.loop_end()
        before.region_end()
        self.region(after)
        after.loop("j", "0", m)
        after.put("%s = 0" % after.ref(y, "j"))
        after.loop_end()
        after.loop("i", "0", n)
        after.loop("j", "0", m)
        after.put("%s = %s + %s * %s" % (after.ref(y, "j"), after.ref(y, "j"), after.ref(a, "i", "j"),
                                        after.ref(x, "i")))
        after.loop_end()
        after.loop_end()
        after.region_end()
        self.total(y, m)

    def matmul(self):
        n, m = self.size(), self.size()
        a, b, c = self.array(3, m), self.array(m, n), self.array(3, n)
        for p in self.texts:
            is_after = p is self.texts[1]
            self.region(p)
            p.loop("k", "0", 3)
            if is_after:
                p.loop("j", "0", n)
                p.put("%s = 0" % p.ref(c, "k", "j"))
                p.loop_end()
                p.loop("i", "0", m)
                p.loop("j", "0", n)
                p.put("%s = %s + %s * %s" % (p.ref(c, "k", "j"), p.ref(c, "k", "j"), p.ref(a, "k", "i"),
                                            p.ref(b, "i", "j")))
                p.loop_end()
                p.loop_end()
            else:
                p.loop("j", "0", n)
                p.put("s = 0")
                p.loop("i", "0", m)
                p.put("s = s + %s * %s" % (p.ref(a, "k", "i"), p.ref(b, "i", "j")))
                p.loop_end()
                p.put("%s = s" % p.ref(c, "k", "j"))
                p.loop_end()
            p.loop_end()
            p.region_end()
        self.total(c, 3, n)

    def blocks(self, n, m, body, head=None, tail=None):
        """Loops i and j, j inside: the first program's; the second has blocks of both."""
        before, after = self.texts
        for p in self.texts:
            self.region(p)
            if p is after:
                p.loop("ii", "0", n, BLOCK)
                p.loop("jj", "0", m, BLOCK)
                p.within("i", "ii", n)
            else:
                p.loop("i", "0", n)
            if head:
                p.put("s = " + (head(p) if p is after else "0"))
            if p is after:
                p.within("j", "jj", m)
            else:
                p.loop("j", "0", m)
            p.put(body(p))
            p.loop_end()
            if tail:
                p.put(tail(p))
            for _ in range(3 if p is after else 1):
                p.loop_end()
            p.region_end()

    def transpose(self):
        n, m = self.chance.choice([(self.size(), self.size()), (256, 256)])
        a, b = self.array(n, m), self.array(m, n)
        self.blocks(m, n, lambda p: "%s = %s" % (p.ref(b, "i", "j"), p.ref(a, "j", "i")))
        self.total(b, m, n)

    def pairs(self):
        n, m = self.chance.randint(20, 40), self.chance.randint(12000, 20000)
        x, y, f = self.array(n), self.array(m), self.array(n)
        for p in self.texts:
            p.loop("i", "0", n)
            p.put("%s = 0" % p.ref(f, "i"))
            p.loop_end()
        self.blocks(n, m, lambda p: "s = s + %s" % p.ref(y, "j"), head=lambda p: p.ref(f, "i"),
                    tail=lambda p: "%s = s" % p.ref(f, "i"))
        self.total(f, n)
        self.total(x, n)

    def skew(self):
        n, m = self.size(), self.size()
        a = self.array(n, m)
        self.nest(n, m, lambda p: "%s = %s + 1" % (p.ref(a, "i", "j"), p.ref(a, "i + 1", "j - 1")), low=1,
                  swapped=False)
        self.total(a, n, m)

    def in_place(self):
        n = self.size()
        a = self.array(n, n)
        self.nest(n, n, lambda p: "%s = %s + 1" % (p.ref(a, "i", "j"), p.ref(a, "j", "i")), swapped=False)
        self.total(a, n, n)

    def rows(self):
        n, m = self.size(), self.size()
        a, b = self.array(m, n), self.array(m, n)
        self.nest(n, m, lambda p: "%s = %s + 1" % (p.ref(b, "j", "i"), p.ref(a, "j", "i")), swapped=False)
        self.total(b, m, n)

    def few(self):
        a = self.array(20, 30)
        self.nest(20, 30, lambda p: "sum = sum + " + p.ref(a, "i", "j"), swapped=False)


def rows(profile, table):
    columns = profile[table]
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def in_order(profile):
    """Numbers of the regions in the order of their lines."""
    lines = [r.get("begin_line", r.get("begin")) for r in rows(profile, "regions")]
    return {region: at for at, region in enumerate(sorted(range(len(lines)), key=lambda r: lines[r]))}


def by_place(profile, kind, suffix):
    """Misses of all orders' models by region, object and level."""
    at, names, found = in_order(profile), profile["objects"]["name"], {}
    for r in rows(profile, "layouts"):
        if r["kind"] == kind and r["region"] is not None:
            assert r["replayed"] == r["accesses"], r
            for level in "l1", "l2":
                found[at[r["region"]], names[r["object"]], level] = r[level + "_misses" + suffix]
    return found


def named(report):
    """Which orders a report in CSV names: the file's lines and the kinds."""
    return {(int(one["begin"]), one["loops"]) for one in report_csv.rows(report, "orders of loops")}


def spares_memory(row):
    """Does an order miss a tenth less in L3?"""
    return row["L3"] != "-" and int(row["L3"]) >= 1000 and int(row["L3 then"]) <= int(row["L3"]) * 0.9


def found(before, report):
    """In how many regions blocks are a finding.  Another order is one where the report says that loops miss less
    interchanged, or in blocks and in L3."""
    before = json.load(open(before))
    at, regions = in_order(before), rows(before, "regions")
    lines = {int(one["begin"]) for one in report_csv.rows(report, "orders of loops")
             if one["loops"] == "interchanged" or spares_memory(one)}
    of_findings = {at[f["region"]] for f in before["findings"]["list"] if f["name"] == "OtherOrderFetchesLess"}
    of_report = {at[r] for r in at if regions[r].get("begin_line", regions[r].get("begin")) in lines}
    assert of_findings == of_report, "findings: %s, the section: %s" % (of_findings, of_report)
    return sum(f["name"] == "OtherOrderFetchesLess" and f["evidence"].startswith("In blocks")
               for f in before["findings"]["list"])


def costs_misses(region, now, then):
    """Has a level of the cache more misses in the other order, in all objects of the region together?"""
    for level in "l1", "l2":
        places = [place for place in now if place[0] == region and place[2] == level]
        today = sum(now[place] for place in places)
        if sum(then[place] for place in places) > today * (1 + MOST_MORE) + MORE:
            return True
    return False


def check(kind, before, after, report):
    before, after = json.load(open(before)), json.load(open(after))
    lines = sorted(r.get("begin_line", r.get("begin")) for r in rows(before, "regions"))
    says = {(lines.index(line), what) for line, what in named(report)}
    if kind in ("bound", "none"):
        for order in "interchanged", "blocked":
            now, then = by_place(before, order, ""), by_place(before, order, "_then")
            assert now and (kind == "none" or now == then), "%s: replayed in another order: %s, %s" % (order, now, then)
        assert not says, "named: %s" % says
        print(0)
        return
    now, then = by_place(before, kind, ""), by_place(before, kind, "_then")
    really = by_place(after, kind, "")
    assert now, "nothing was replayed"
    n = 0
    for place, value in sorted(then.items()):
        if max(value, now[place], really[place]) < LEAST_MISSES:
            continue
        n += 1
        off = abs(value - really[place])
        assert off <= MOST_OFF * really[place] or off <= OF_NOW * now[place], (
            "region %d, object %s, %s: today %d, predicted %d, really %d" % (place + (now[place], value, really[place])))
    text = "in blocks" if kind == "blocked" else kind
    for region in range(len(lines)):
        assert ((region, text) in says) != costs_misses(region, now, then), (
            "region %d: %s: named: %s; now %s, predicted %s" % (region, text, says, now, then))
    print(n)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        paths = sys.argv[4:6]
        pair = Pair(sys.argv[2], sys.argv[3], [Fortran if path.endswith(".f90") else C for path in paths])
        for path, program in zip(paths, pair.texts):
            open(path, "w").write(program.text())
    elif sys.argv[1] == "found":
        print(found(*sys.argv[2:4]))
    else:
        check(*sys.argv[2:6])
