"""Pairs of programs, in one of which threads write parts of the same lines in turns, for tests/access/own_lines.sh.

  own_lines.py make SEED OWNED BEFORE.c AFTER.c   writes a pair: elements side by side, and each in a line of its own;
                                            prints the transfers of both in the region, by arithmetic
  own_lines.py transfers PROFILE.json      prints those that a profile has of c, by region: now, then

OWNED: this part of the elements has one thread that writes them.  Threads take turns, so that the order of all stores is known.
"""
import json
import random
import sys

TYPES = {"long": 8, "int": 4, "short": 2, "char": 1}

PROGRAM = """#include <sched.h>
#include <stdio.h>
enum { STEPS = %(steps)d, N = %(n)d };
static const unsigned char who[STEPS] = { %(who)s }, what[STEPS] = { %(what)s };
static struct { _Alignas(%(align)d) %(type)s v; } c[N] __attribute__((aligned(64)));
static int turn __attribute__((aligned(64)));
int main(void)
{
for (int i = 0; i < N && %(init)d; i++) *(volatile %(type)s *)&c[i].v = (%(type)s)i;
#pragma omp parallel num_threads(%(threads)d)
{
%(number)s
for (int i = 0; i < STEPS; i++) {
if (who[i] != me) continue;
while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != i) sched_yield();
*(volatile %(type)s *)&c[what[i]].v += 1;
__atomic_store_n(&turn, i + 1, __ATOMIC_RELEASE);
}
}
long sum = 0;
for (int i = 0; i < N; i++) sum += c[i].v * (i + 1);
printf("%%ld\\n", sum);
return 0;
}
"""


def transfers(stores, line_of):
    """Stores to a line that another thread wrote last."""
    last, n = {}, 0
    for thread, element in stores:
        line = line_of(element)
        n += last.get(line, thread) != thread
        last[line] = thread
    return n


def make(seed, owned, before, after):
    chance = random.Random(seed)
    kind = chance.choice(list(TYPES))
    n, threads, steps = chance.randint(8, 100), chance.randint(2, 4), chance.randint(6000, 8000)
    init = chance.randint(0, 1)
    owner = [chance.randrange(threads) if chance.random() < float(owned) else None for _ in range(n)]
    if chance.random() < 0.5 and float(owned) < 1:
        owner = [None if o is None else i * threads // n for i, o in enumerate(owner)]
    stores = []
    while len(stores) < steps:
        element = chance.randrange(n)
        thread = owner[element] if owner[element] is not None else chance.randrange(threads)
        stores += [(thread, element)] * chance.randint(1, 3)
    stores = stores[:steps]
    fields = {"steps": steps, "n": n, "threads": threads, "type": kind, "init": init,
              "who": ",".join(str(t) for t, _ in stores), "what": ",".join(str(e) for _, e in stores),
              "number": "extern int omp_get_thread_num(void); const int me = omp_get_thread_num();"}
    first = [(0, e) for e in range(n)] * init
    for path, align, size in (before, TYPES[kind], TYPES[kind]), (after, 64, 64):
        with open(path, "w") as file:
            file.write(PROGRAM % dict(fields, align=align))
        print(transfers(first + stores, lambda e: e * size // 64))


def told(path):
    profile = json.load(open(path))
    own = profile["own_lines"]
    columns = [dict(zip(own, row)) for row in zip(*own.values())]
    of_c = [x for x in columns if profile["objects"]["name"][x["object"]] in ("c", "'c'") and x["region"] is not None]
    print(sum(x["transfers"] for x in of_c), sum(x["transfers_then"] for x in of_c),
          sum(x["followed"] for x in of_c), sum(x["stores"] for x in of_c))


make(*sys.argv[2:]) if sys.argv[1] == "make" else told(sys.argv[2])
