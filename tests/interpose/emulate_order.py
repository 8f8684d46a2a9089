"""What the tests of accesses in their order by emulation (emulate_order.sh) make and compare.

  make SEED FILE               writes a program of chance whose kernel walks static arrays in one function, so that
                               nothing but them is accessed between the first array, which fills all caches, and the end
  misses ADDRESSES TRACE JSON CACHES
                               compares the misses of each object with those of caches that this simulates over lackey's
                               trace
  pages ADDRESSES TRACE CSV    compares the loads and stores of each page of each object
  same JSON CSV JSON CSV       compares two runs: accesses, misses and shared lines of each array, and loads and stores of
                               each of its pages, which begin with it
  lines JSON OBJECT STORES TRANSFERS THREADS [FEWER]
                               compares what the lines of an object have in all; so many transfers may be missing
"""
import collections
import json
import random
import sys

FILL = 1 << 17
ARRAYS = ['fill', *'abcd']
MOST_LINES = 100  # shared lines of a profile


def make(seed, path):
    r = random.Random(seed)
    kinds = {'char': 1, 'int': 4, 'double': 8}
    arrays = [(name, r.choice(sorted(kinds)), 1 << r.randrange(8, 14)) for name in 'abcd']
    lines = ['#include <stdio.h>', 'static long fill[%d] __attribute__((aligned(4096)));' % (FILL // 8)]
    lines += ['static %s %s[%d] __attribute__((aligned(%d)));' % (k, n, size, r.choice([64, 4096]))
              for n, k, size in arrays]
    lines += ['__attribute__((noinline)) static long kernel(void)', '{', '\tlong sum = 0;',
              '\tfor (int i = 0; i < %d; i++) fill[i] = i;' % (FILL // 8)]
    for _ in range(r.randrange(3, 7)):
        (x, _, n), (y, _, m) = r.choice(arrays), r.choice(arrays)
        step, turns = r.choice([1, 1, 3, 16, 64, 257]), r.randrange(1, 4)
        at = 'i * %dL %% %d' % (step, n)
        other = r.choice(['i %% %d' % m, 'i * 37L %% %d' % m, '(i * i) %% %dL' % m])
        body = r.choice(['%s[%s] += 1;' % (x, at), 'sum += %s[%s];' % (x, at), '%s[%s] = %s[%s];' % (x, at, y, other),
                         'if (%s[%s] != 3) sum += %s[%s];' % (x, at, y, other)])
        lines.append('\tfor (long k = 0; k < %d; k++) for (long i = 0; i < %d; i++) %s' % (turns, n, body))
    lines += ['\treturn sum;', '}', 'int main(int argc, char **argv)', '{', '\tFILE *out = fopen(argv[1], "w");']
    lines += ['\tfprintf(out, "%s 0 %%p %%zu\\n", (void *)%s, sizeof %s);' % (n, n, n) for n in ARRAYS]
    lines += ['\tfclose(out);', '\treturn kernel() == 12345 && argc > 5;', '}', '']
    open(path, 'w').write('\n'.join(lines))


def objects_of(path):
    return [(n, int(a, 16), int(b)) for n, _, a, b in (x.split() for x in open(path))]


def accesses(trace):
    for line in open(trace):
        if line[:3] in (' L ', ' S ', ' M '):
            address, size = line[3:].split(',')
            yield line[1], int(address, 16), int(size)


class Level:
    def __init__(self, n_bytes, ways, line):
        self.ways, self.line = ways, line
        self.sets = [[] for _ in range(n_bytes // ways // line)]

    def use(self, line):
        row = self.sets[line % len(self.sets)]
        hit = line in row
        if hit:
            row.remove(line)
        elif len(row) == self.ways:
            row.pop()
        row.insert(0, line)
        return not hit


def levels_of(text):
    factor = {'K': 1024}
    for part in text.split(','):
        n, ways, line = part.split('=')[1].split('/')
        yield Level(int(n.rstrip('K')) * factor.get(n[-1], 1), int(ways), int(line))


def misses(addresses, trace, path, caches):
    objects, levels, bad = objects_of(addresses), list(levels_of(caches)), 0
    want = collections.defaultdict(lambda: [0] * len(levels))
    for how, address, size in accesses(trace):
        name = next((n for n, lo, b in objects if lo <= address < lo + b), None)
        for _ in range(2 if how == 'M' else 1):
            for k, level in enumerate(levels):
                lines = range(address // level.line, (address + size - 1) // level.line + 1)
                if not any([level.use(line) for line in lines]):
                    break
                want[name][k] += 1
    profile = json.load(open(path))
    names, table = profile['objects']['name'], profile['accesses']
    for name, _, _ in objects:
        rows = [i for i, o in enumerate(table['object']) if names[o] == name]
        got = [sum(table['l%d_misses' % (k + 1)][i] for i in rows) for k in range(len(levels))]
        if got != want[name]:
            print('%s: misses %s, simulated %s' % (name, got, want[name]))
            bad = 1
    return bad or not any(want['fill'])


def pages(addresses, trace, path):
    objects, want, got = objects_of(addresses), collections.Counter(), collections.Counter()
    for how, address, _ in accesses(trace):
        if any(lo <= address < lo + b for _, lo, b in objects):
            want[address >> 12, 'loads'] += how != 'S'
            want[address >> 12, 'stores'] += how != 'L'
    head, *rows = [line.rstrip('\n').split(',') for line in open(path)]
    for row in (dict(zip(head, r)) for r in rows):
        if row['Object'] in [n for n, _, _ in objects]:
            got[int(row['@Virt'], 16) >> 12, 'loads'] += int(row['Nreads'])
            got[int(row['@Virt'], 16) >> 12, 'stores'] += int(row['Nwrites'])
    want, got = +want, +got
    for key in sorted(set(want) | set(got)):
        if want[key] != got[key]:
            print('page %x: %s %d, lackey %d' % (*key, got[key], want[key]))
    return want != got or not want


def lines(path, name, *want):
    profile = json.load(open(path))
    table = profile['shared_lines']
    rows = [i for i, o in enumerate(table['object']) if profile['objects']['name'][o] == name]
    got = [sum(table[c][i] for i in rows) for c in ('stores', 'transfers')]
    got.append(max([len(table['threads'][i].split(', ')) for i in rows], default=0))
    stores, transfers, threads = (int(n) for n in want[:3])
    least = transfers - int(want[3] if want[3:] else 0)
    if [got[0], got[2]] != [stores, threads] or not least <= got[1] <= transfers:
        print('%s: stores, transfers, threads %s of %s' % (name, got, want))
        return 1
    return 0


def accesses_of(profile, columns, sums):
    names, rows = profile['objects']['name'], profile['accesses']
    for i, o in enumerate(rows['object']):
        if names[o] in ARRAYS:
            for column in columns:
                sums[names[o], 'accesses.' + column] += rows[column][i] or 0


def fewest_of(profile):
    """Of the lines with most transfers alone the profile has rows: how many those may have that lack; 0 for none."""
    transfers = profile['shared_lines']['transfers']
    return min(transfers) if len(transfers) >= MOST_LINES else 0


def lines_of(profile, fewest, sums):
    """Where one of the two profiles is full, lines with so few transfers may lack for those of libraries, which only the
    emulation sees: such lines count once."""
    names, rows = profile['objects']['name'], profile['shared_lines']
    cells = sorted(zip(rows['transfers'], rows['object'], rows['stores']))
    cells = [c for c in cells if c[0] > fewest] + sorted({c for c in cells if c[0] == fewest})
    for transfers, o, stores in cells:
        if names[o] in ARRAYS:
            sums[names[o], 'shared_lines.stores'] += stores
            sums[names[o], 'shared_lines.transfers'] += transfers


def run_of(profile, csv_path, fewest):
    sums, firsts = collections.Counter(), {}
    columns = [c for c in profile['accesses'] if c in ('loads', 'stores', 'atomics') or c.endswith('_misses')]
    accesses_of(profile, columns, sums)
    lines_of(profile, fewest, sums)
    head, *rows = [line.rstrip('\n').split(',') for line in open(csv_path)]
    rows = [r for r in (dict(zip(head, row)) for row in rows) if r['Object'] in ARRAYS]
    for row in rows:
        page = int(row['@Virt'], 16) >> 12
        firsts[row['Object']] = min(page, firsts.get(row['Object'], page))
    for row in rows:
        page = (int(row['@Virt'], 16) >> 12) - firsts[row['Object']]
        sums[row['Object'], page, 'loads'] += int(row['Nreads'])
        sums[row['Object'], page, 'stores'] += int(row['Nwrites'])
    return +sums


def same(*paths):
    profiles = [json.load(open(path)) for path in paths[::2]]
    fewest = max(fewest_of(profile) for profile in profiles)
    one, other = (run_of(profile, path, fewest) for profile, path in zip(profiles, paths[1::2]))
    for key in sorted(set(one) | set(other), key=str):
        if one[key] != other[key]:
            print(*key, 'emulated %d, by hooks %d' % (one[key], other[key]))
    print(*sorted({key[-1] if len(key) == 2 else 'page.' + key[-1] for key in one}), len(one))
    return one != other


if __name__ == '__main__':
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]), sys.argv[3])
    else:
        sys.exit({'misses': misses, 'pages': pages, 'lines': lines, 'same': same}[sys.argv[1]](*sys.argv[2:]))
