"""Programs that walk a large array, and what they miss in TLBs, for tests/access/large_pages.sh.

  large_pages.py make SEED PROGRAM.c       writes a program; prints its TLBs, all of whose ways are one set
  large_pages.py check SEED PROFILE.json REPORT.csv
                                  compares the misses, and whether the report names the regions; prints how many it does
"""
import json
import random
import sys

SMALL, LARGE, ARRAY = 4 << 10, 2 << 20, 64 << 20
LEAST, LINE = 1000, 20  # misses that are worth a line; the first walk's
OTHERS, SOME = 3, 8     # pages of the stack and of other data; misses that are due to them


class Walks:
    def __init__(self, seed):
        chance = random.Random(seed)
        self.entries = {SMALL: (chance.choice([8, 16, 64]), chance.choice([128, 300])),
                        LARGE: (chance.choice([4, 8]), chance.choice([8, 16, 32]))}
        self.walks = []  # n, factor, bytes of a place: the i-th access is to (i * factor % places) * bytes
        for _ in range(4):
            kind = chance.choice(["columns", "columns", "any", "order"])
            if kind == "columns":
                rows = chance.choice([200, 1000, 4000])
                self.walks.append((rows * 20, 1, ARRAY // rows // 8 * 8, rows))
            elif kind == "any":
                self.walks.append((30000, chance.choice([7919, 104729, 611953]), 64, chance.choice([1 << 13, 1 << 18])))
            else:
                self.walks.append((40000, 1, 8, ARRAY // 8))

    def tlb(self):
        return ",".join("L%d=%d/%d/%dK" % (i + 1, n, n, page >> 10)
                        for page in (SMALL, LARGE) for i, n in enumerate(self.entries[page]))

    def text(self):
        lines = ["#include <stdio.h>", "#include <stdlib.h>", "int main(void)", "{", "long sum = 0;",
                 "char *a = aligned_alloc(%d, %d);" % (LARGE, ARRAY)]
        for k, (n, factor, size, places) in enumerate(self.walks):
            lines += [""] * (LINE + 5 * k - len(lines) - 1)
            lines += ["#pragma omp parallel for reduction(+ : sum)",
                      "for (long i = 0; i < %d; i++)" % n,
                      "*(volatile long *)(a + i * %d %% %d * %d) = i, sum += i;" % (factor, places, size)]
        return "\n".join(lines + ['printf("%ld\\n", sum);', "return 0;", "}"]) + "\n"

    def misses(self, taken):
        """By region: the misses by size of page and level, where other data has so many pages in each TLB.  The TLBs
        stay as they are between regions."""
        lists = {page: [dict(), dict()] for page in self.entries}
        all_misses = []
        for n, factor, size, places in self.walks:
            one = {page: [0, 0] for page in self.entries}
            for i in range(n):
                at = i * factor % places * size
                for page in self.entries:
                    for level in (0, 1):
                        used, number = lists[page][level], at // page
                        is_there = used.pop(number, False)
                        used[number] = True
                        if is_there:
                            break
                        one[page][level] += 1
                        if len(used) > max(self.entries[page][level] - taken, 1):
                            del used[next(iter(used))]
            all_misses.append(one)
        return all_misses


def check(walks, profile, report):
    profile = json.load(open(profile))
    regions, rows = profile["regions"]["begin_line"], profile["translations"]
    named = sum(line.startswith("##BEG large pages") for line in open(report))
    table, lines = False, []
    for line in open(report):
        table = line.startswith("##BEG large pages") or (table and not line.startswith("##"))
        if table and " a " in line or table and "a = " in line:
            lines.append(line)
    n_said = 0
    for k, (least, most) in enumerate(zip(walks.misses(0), walks.misses(OTHERS))):
        at = [i for i, (r, o) in enumerate(zip(rows["region"], rows["object"]))
              if r is not None and regions[r] == LINE + 5 * k and " a = " in profile["objects"]["name"][o]]
        if len(at) != 1:
            sys.exit("walk %d: %d rows" % (k, len(at)))
        got = {page: [rows["l%d_misses%s" % (level, then)][at[0]] for level in (1, 2)]
               for page, then in ((SMALL, ""), (LARGE, "_then"))}
        if rows["accesses"][at[0]] != walks.walks[k][0] or rows["replayed"][at[0]] != rows["accesses"][at[0]]:
            sys.exit("walk %d: %d of %d accesses" % (k, rows["replayed"][at[0]], rows["accesses"][at[0]]))
        for page in least:
            for a, b, c in zip(got[page], least[page], most[page]):
                if not 0.99 * b - SOME <= a <= 1.01 * c + SOME:
                    sys.exit("walk %d: misses %s, by lists %s to %s" % (k, got, least, most))
        saves = any(a >= LEAST and b <= 0.9 * a for a, b in zip(got[SMALL], got[LARGE]))
        costs = any(b > 1.02 * a + 100 for a, b in zip(got[SMALL], got[LARGE]))
        is_said = any(",%d,%d," % (LINE + 5 * k, LINE + 5 * k + 2) in line for line in lines)
        if is_said != (saves and not costs):
            sys.exit("walk %d: %s, %s: %s" % (k, got, "said" if is_said else "not said", lines))
        n_said += is_said
    if bool(named) != bool(n_said):
        sys.exit("the section is there %d times" % named)
    print(n_said)


def main(what, seed, *arguments):
    walks = Walks(seed)
    if what == "make":
        open(arguments[0], "w").write(walks.text())
        print(walks.tlb())
    else:
        check(walks, *arguments)


main(*sys.argv[1:])
