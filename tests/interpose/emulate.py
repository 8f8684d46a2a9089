# emulate: programs of chance, and what valgrind's lackey and the profile of the emulated program say of their objects.
#   emulate.py make SEED PROGRAM.c       writes a program; its first line has options for the compiler
#   emulate.py operands PROGRAM.c        writes one with many instructions that access memory
#   emulate.py teams SEED PROGRAM.c COUNTS
#                                        writes one for threads, and "NAME THREAD LOADS STORES ATOMICS BYTES" of its
#                                        arrays; prints the number of threads
#   emulate.py compare ADDRESSES TRACE PROFILE.json
#                                        ADDRESSES: "NAME LINE ADDRESS BYTES" a line, by the run that lackey has traced
#   emulate.py counts PROFILE.json NAME [LINE]
#                     prints "TYPE THREAD LOADS STORES ATOMICS BYTES" of an object, by region and thread
#   emulate.py hooks EMULATED.json HOOKED.json FRAME TABLE KERNEL COMPILER LEVEL
#                     compares the counts of a plain program by emulation with those of its hooks (DIFFERENCES is a
#                     TABLE); FRAME: a file with the names of objects that were compiled without hooks
import collections, fnmatch, json, random, sys

TYPES = ['char', 'short', 'int', 'long', 'float', 'double']
FLAGS = ['-O0', '-O1', '-O2', '-O3', '-O2 -ftree-vectorize -msse4.1']


def make(seed, path):
    r = random.Random(seed)
    arrays = [('s%d' % i, r.choice(TYPES), r.randrange(1024, 2048) * 8) for i in range(3)] + \
             [('h%d' % i, r.choice(TYPES), r.randrange(1024, 2048) * 8) for i in range(3)]
    lines = ['// ' + r.choice(FLAGS), '#include <stdio.h>', '#include <stdlib.h>', 'struct some { long x[6]; };']
    for name, kind, size in arrays:
        lines.append('static %s %s[%d];' % (kind, name, size // 8) if name[0] == 's' else 'static %s *%s;' % (kind, name))
    places = {}

    def loop():
        (a, ta, _), (b, tb, _), (c, tc, _) = (r.choice(arrays) for _ in range(3))
        n, k, m = r.randrange(100, 600), r.choice([1, 1, 1, 2, 3]), r.choice([1, 1, 5, 7])
        index = '(i * %d) %% 1000' % k if k > 1 else 'i'
        other = 'i' if m == 1 else '(i * %d + %d) %% 1000' % (m, r.randrange(1000))
        integer = [t in TYPES[:4] for t in (ta, tb, tc)]
        body = r.choice(['%s[%s] += %s[%s];' % (a, index, b, other), '%s[%s] = %s[%s] * 3;' % (a, index, b, other),
                         '%s[%s] = %s[i] * %s[%s] + 1;' % (a, index, b, c, other), '%s[%s]++;' % (a, index),
                         'sum += %s[%s];' % (b, other), 'if (%s[%s] > 2) %s[%s] = 0;' % (b, other, a, index),
                         '*(struct some *)(void *)&%s[i & ~7] = *(struct some *)(void *)&%s[(i + 96) & ~7];' % (a, b),
                         '__atomic_fetch_add(&%s[%s], 1, __ATOMIC_SEQ_CST);' % (a, index) if integer[0] else 'sum += %s[i];' % c])
        return '\tfor (long i = 0; i < %d; i++) %s' % (n, body)

    functions = r.randrange(2, 5)
    for f in range(functions):
        lines += ['static __attribute__((noinline)) double f%d(double sum)' % f, '{']
        lines += [loop() for _ in range(r.randrange(2, 6))] + ['\treturn sum;', '}']
    lines += ['int main(int argc, char **argv)', '{', '\tdouble sum = argc;',
              '\tFILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;']
    is_one_line = seed % 2  # all are allocated in one, and told by what it assigns
    for name, kind, size in arrays:
        if name[0] == 'h':
            lines.append('\t%s = malloc(%d * sizeof *%s + 160000);' % (name, size // 8, name))
            if is_one_line and places:
                lines[-2:] = [lines[-2] + lines[-1]]
            places[name] = len(lines)
    for name, kind, size in arrays:
        if name[0] == 'h':
            lines.append('\tfor (int i = 0; i < %d; i++) %s[i] = i & 7;' % (size // 8, name))
        lines.append('\tif (out) fprintf(out, "%s %d %%p %%zu\\n", (void *)%s, %d * sizeof %s[0]);' %
                     (name, places.get(name, 0), name, size // 8, name))
    lines += ['\tsum = f%d(sum);' % r.randrange(functions) for _ in range(r.randrange(3, 8))]
    lines += ['\tprintf("%g\\n", sum);', '\treturn out && fclose(out);', '}', '']
    open(path, 'w').write('\n'.join(lines))


# Instructions with an operand in memory: for each the distance of its accesses, which for narrow ones is their size, so
# that two of them in a row look like the parts of a wide one.  Left out are those whose operand valgrind loads by parts,
# or not at all where nothing uses the result.
OPERANDS = {
    16: 'movaps movapd movdqa addps addpd mulps sqrtpd minps andps orpd xorps unpcklps unpckhpd cmpeqps cvtdq2ps cvtps2dq '
        'punpcklbw punpckhdq paddb paddq pmuludq pand pcmpeqb pmaddwd pavgb phaddw pshufb pabsb pmulld packusdw haddps '
        'movups movdqu lddqu movsldup movshdup pshufd,1 shufps,1 palignr,1 pblendw,1',
    8: 'movsd movlps movhpd movq movddup addsd mulsd sqrtsd cmpeqsd cvtsd2ss cvtdq2pd pmovsxbw pmovzxdq roundsd,1 '
       'vmovups vmovdqu vmovsd vmovq vmovddup vcvtdq2pd vpmovsxbw vaddsd:3 vmulsd:3 vfmadd231sd:3 vfnmadd213sd:3 vaddpd:3 '
       'vpand:3 vmovhps:3 vroundsd,1:3 vmovups:y vmovdqu:y vcvtdq2pd:y vcvtdq2ps:y vpmovsxbw:y vpmovzxbd:y vpmovzxdq:y '
       'vpmovsxwq:y vbroadcastsd:y vbroadcastf128:y vpbroadcastq:y vaddpd:y3 vpaddd:y3 vpshufb:y3 vandps:y3 vmovsldup:y '
       'vshufps,1:y3 vinserti128,1:y3 vpermq,1:y vpshufd,1:y',
    4: 'movss movd addss sqrtss cvtss2sd pmovsxbd pinsrd,1 vmovss vaddss:3 vfmadd132ss:3 vfmsub231ss:3 vbroadcastss:y',
    32: 'movaps> movups> movdqu> movntdq> movlps> movhpd> movsd> movss> movq> pextrq,1> pextrd,1> vmovups>y vmovdqa>y '
        'vextracti128,1>y'}


def operands(path):
    names, loops = [], []
    for step, words in OPERANDS.items():
        for word in words.split():
            is_store = '>' in word
            name, _, how = word.replace('>', ':').partition(':')
            name, _, number = name.partition(',')
            register = '%%ymm1' if 'y' in how and not name.startswith('vinsert') else '%%xmm1'
            if name.startswith('vinsert'):
                register = '%%ymm1'
            parts = ['$1'] * (number != '') + ([register, '(%0)'] if is_store else ['(%0)', register])
            if '3' in how:
                parts.append(register)
            names.append('o%d' % len(names))
            loops.append('for (int i = 0; i < 64; i++) __asm__ volatile("%s %s" : : "r"(%s + i * %d) : "memory", "xmm1");' %
                         (name, ', '.join(parts), names[-1], step))
    lines = ['#include <stdio.h>'] + ['static char %s[4096] __attribute__((aligned(64)));' % n for n in names] + \
        ['int main(int argc, char **argv)', '{', 'FILE *out = fopen(argv[1], "w");'] + loops + \
        ['fprintf(out, "%s 0 %%p 4096\\n", (void *)%s);' % (n, n) for n in names] + ['return fclose(out);', '}', '']
    open(path, 'w').write('\n'.join(lines))


# Bodies of loops over volatile arrays, in which each access is one of the program: what they load, store and update.
BODIES = {'a[i] += b[i];': ('ab', 'a', ''), 'a[i] = b[i];': ('b', 'a', ''), 'a[i]++;': ('a', 'a', ''),
          'a[i] = b[i] + c[i] * a[i];': ('abc', 'a', ''), 'sum += c[i];': ('c', '', ''), 'c[i] = 0; b[i] = 1;': ('', 'bc', ''),
          '__atomic_fetch_add(&c[i], 1, __ATOMIC_RELAXED);': ('', '', 'c')}
SIZES = {'char': 1, 'short': 2, 'int': 4, 'long': 8}


def teams(seed, path, counts_path):
    r = random.Random(seed)
    n_threads = r.randrange(1, 17)
    n = n_threads * r.randrange(20, 90)
    kinds = [r.choice(sorted(SIZES)) for _ in 'abc']
    lines = ['enum { N = %d };' % n] + ['static volatile %s %s[N];' % x for x in zip(kinds, 'abc')]
    totals = {name: [0, 0, 0] for name in 'abc'}
    for f in range(r.randrange(1, 5)):
        lines += ['static void f%d(void)' % f, '{', '#pragma omp parallel', '\t{', '\tlong sum = 0;']
        for _ in range(r.randrange(1, 4)):
            body, turns = r.choice(sorted(BODIES)), r.randrange(1, 5)
            lines += ['\tfor (int k = 0; k < %d; k++)' % turns, '#pragma omp for schedule(static)' +
                      r.choice(['', ' nowait']), '\tfor (int i = 0; i < N; i++) { %s }' % body]
            for k, names in enumerate(BODIES[body]):
                for name in names:
                    totals[name][k] += turns * n // n_threads
        lines += ['\t}', '}']
    calls = ['\tf%s();' % x.split('f')[1].split('(')[0] for x in lines if x.startswith('static void')]
    lines += ['int main(void)', '{'] + calls + ['\treturn 7;', '}', '']
    open(path, 'w').write('\n'.join(lines))
    with open(counts_path, 'w') as out:
        rows = ['%s %d %d %d %d %d\n' % (name, t, *totals[name], sum(totals[name]) * SIZES[kind])
                for name, kind in zip('abc', kinds) if any(totals[name]) for t in range(n_threads)]
        out.writelines(sorted(rows))
    print(n_threads)


# The counts of objects: [loads, stores, bytes] by name.  valgrind makes two loads and a store of an atomic, one load
# by the compare-and-exchange that it puts in its place.
# valgrind reads the two floats of cvtps2pd one after the other, the processor both at once.
def traced(objects, trace):
    counts, after = collections.defaultdict(lambda: [0, 0, 0]), None
    for line in open(trace):
        how = line[:3]
        if how not in (' L ', ' S ', ' M '):
            after = None
            continue
        address, size = line[3:].split(',')
        address, size = int(address, 16), int(size)
        is_second = how == ' L ' and size == 4 and address == after
        after = address + size if how == ' L ' and size == 4 and not is_second else None
        for name, _, lo, n in objects:
            if lo <= address < lo + n:
                c = counts[name]
                c[0] += how != ' S ' and not is_second
                c[1] += how != ' L '
                c[2] += size * (1 + (how == ' M '))
    return counts


def rows(profile, name, line, assigned=''):
    names = profile['objects']['name']
    table = profile['accesses']
    for i in range(len(table['object'])):
        place, _, text = names[table['object'][i]].partition(' ')
        is_it = place.endswith('.c:' + line) and text.startswith(assigned) if line != '0' else \
            names[table['object'][i]] == name
        if is_it:
            yield {column: table[column][i] for column in table}


def compare(addresses, trace, path):
    objects = [(n, l, int(a, 16), int(b)) for n, l, a, b in (x.split() for x in open(addresses))]
    profile, bad = json.load(open(path)), 0
    want = traced(objects, trace)
    for name, line, _, _ in objects:
        got = [0, 0, 0]
        for r in rows(profile, name, line, name + ' = malloc'):
            got[0] += r['loads'] + 2 * r['atomics']
            got[1] += r['stores'] + r['atomics']
            got[2] += r['load_bytes'] + r['store_bytes'] + 3 * r['atomic_bytes']
        if got != want[name]:
            print('%s: loads, stores, bytes %s, lackey %s' % (name, got, want[name]))
            bad = 1
    return bad or not any(want.values())


def counts(path, name, line='0'):
    profile = json.load(open(path))
    region = profile['paths']['region']
    for r in rows(profile, name, line):
        at = region[r['path']]
        kind = profile['regions']['construct'][at] if at is not None else '-'
        print(kind, r['thread'], r['loads'], r['stores'], r['atomics'],
              r['load_bytes'] + r['store_bytes'] + r['atomic_bytes'])


# The counts of all objects, by name and origin: loads, stores, atomics, and their bytes.
COLUMNS = ['loads', 'stores', 'atomics', 'load_bytes', 'store_bytes', 'atomic_bytes']


def sums(path):
    profile = json.load(open(path))
    objects, table = profile['objects'], profile['accesses']
    found = collections.defaultdict(lambda: [0] * len(COLUMNS))
    for i, o in enumerate(table['object']):
        for k, column in enumerate(COLUMNS):
            found[objects['name'][o], objects['origin'][o]][k] += table[column][i] or 0
    return {key: c for key, c in found.items() if any(c)}


# Why an object that only emulation sees is not one of the program's own code: it is a file's (constants, code, what has no
# symbol), or what a library allocated for itself, or the frame's; None when it is not.
ALLOCATES = ('malloc(', '= new ', 'reserve(', 'allocate(')


def not_hooked(name, origin, frame):
    if origin == 'file' or name.startswith('('):
        return 'no object of the source'
    if origin == 'heap' and not any(word in name for word in ALLOCATES):
        return 'library code'
    return 'library code' if origin == 'symbol' and name in frame else None


def listed(table, at, got, want):
    for line in open(table):
        words = line.split(None, 6)
        if len(words) == 7 and words[4] in ('-', '/'.join(map(str, got))) and \
                all(fnmatch.fnmatch(a, w) for a, w in zip((*at, '', '/'.join(map(str, want))), words[:4] + ['*', words[5]])):
            return words[6].split(':')[0]
    return None


def hooks(emulated, hooked, frame_path, table, *place):
    kernel, compiler, level = place
    frame = open(frame_path).read().split()
    got, want, bad = sums(emulated), sums(hooked), 0
    for key in sorted(set(got) | set(want)):
        name, origin = key
        e, h = got.get(key, [0] * 6), want.get(key, [0] * 6)
        short = name.split(':', 1)[1] if origin == 'heap' and ':' in name else name
        short = short.replace(' ', '_')
        if name == '(stack)':  # spilled registers, return addresses, and what functions save at their begin
            kind = 'registers and spills' if all(a >= b for a, b in zip(e, h)) else None
        elif not any(h) or origin == 'file':
            kind = not_hooked(name, origin, frame)
        elif e == h:
            kind = 'same'
        else:
            kind = 'other widths' if e[2:] == h[2:] else listed(table, (kernel, short, compiler, level), e, h)
        print(kind or 'unexplained', kernel, short, compiler, level, '/'.join(map(str, e)), '/'.join(map(str, h)), sep='|')
        bad |= kind is None
    return bad


if __name__ == '__main__':
    if sys.argv[1] == 'make':
        make(int(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == 'operands':
        operands(sys.argv[2])
    elif sys.argv[1] == 'compare':
        sys.exit(compare(*sys.argv[2:]))
    elif sys.argv[1] == 'teams':
        teams(int(sys.argv[2]), *sys.argv[3:])
    elif sys.argv[1] == 'hooks':
        sys.exit(hooks(*sys.argv[2:]))
    else:
        counts(*sys.argv[2:])
