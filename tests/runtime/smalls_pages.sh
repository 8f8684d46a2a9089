# smalls_pages: of variables that are too small for objects of their own, what is said of pages and first touches is what
# the program says of its memory: which of them lie in what was used of pages, and which access touched a page first.
# Those of a library that is loaded later have names, too, also when it is unloaded, and loaded once more.
. "$srcdir/tests/lib.sh"
need python3

# Variables of each kind and size, some at the begin of a page; words of every second one are used.  What is made prints
# where each is, and each address that it uses.
cat >make.py <<'P'
import random, sys
name, n, seed = sys.argv[1], 28, int(sys.argv[2])
random.seed(seed)
words = [1 + random.randrange(8 if i % 7 else 400) for i in range(n)]
print('#include <stdio.h>')
for i in range(n):
    print('%slong %s%d[%d]%s%s;' % ('static ' if i % 3 else '', name, i, words[i],
          ' __attribute__((aligned(4096)))' if i % 5 == 2 else '', ' = { 1 }' if i % 4 == 1 else ''))
print('void %s(void)\n{' % name)
for i in range(n):
    print('\tprintf("%s%d %%p %%zu\\n", (void *)%s%d, sizeof(%s%d));' % (name, i, name, i, name, i))
for i in range(0, n, 2):
    for _ in range(1 + words[i] // 20):
        k = random.randrange(words[i])
        print('\tprintf("use %%p\\n", (void *)&%s%d[%d]);\n\t((volatile long *)%s%d)[%d]++;' % (name, i, k, name, i, k))
print('}')
P
python3 make.py early 1 >early.c
python3 make.py later 2 >later.c
cat >host.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
void early(void);

/* The pointer may be the only way to dlclose() that the program has. */
static void use(int (*end)(void *))
{
	void *handle = dlopen("./later.so", RTLD_NOW);
	void (*later)(void) = handle ? (void (*)(void))dlsym(handle, "later") : abort;

	later();
	end(handle);
}

int main(void)
{
	early();
	use(dlclose);
	use(dlclose);
#pragma omp parallel num_threads(1)
	{ }
	return 0;
}
C
kinst --access $CC -w -g -O1 -shared -fPIC later.c -o later.so
kinst --access $CC -w -g -O1 -fopenmp host.c early.c -o host -ldl
export OMPP_QUIET=1 OMPP_OBJECTS=all
OMPP_APPNAME=pages OMPP_PAGES=hooks OMPP_SAMPLE=touch ./host >said || fail "host ends with $?"
ompp report --format=json pages.*.ompp >pages.json
ompp pages --view=pages --format=csv pages.*.pages >pages.csv
has_sample_clock && OMPP_APPNAME=samples OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 ./host >said.samples
[ ! -f said.samples ] || ompp report --format=json samples.*.ompp >samples.json

cat >compare.py <<'P'
import collections, csv, json, os
PAGE, PART = 4096, 64

def read(path):
    """Returns what lay in memory between two loads of the library, as places of variables, and what was used, in order,
    with the number of the load."""
    loads, used = [{}], []
    for line in open(path):
        words = line.split()
        if words[0] == 'use':
            used.append((int(words[1], 16), loads[-1]))
        else:
            if words[0] == 'later0':
                loads.append({name: place for name, place in loads[-1].items() if name.startswith('early')})
            loads[-1][words[0]] = (int(words[1], 16), int(words[1], 16) + int(words[2]))
    return loads, used

def parts(lo, hi):
    return set(range(lo // PART, (hi - 1) // PART + 1))

def at(places, address):
    return [name for name, (lo, hi) in places.items() if lo <= address < hi]

loads, used = read('said')
all_places = {(name, place) for load in loads for name, place in load.items()}
profile = json.load(open('pages.json'))
names = profile['objects']['name']
used_parts = {address // PART for address, _ in used}
lie, most_alone = collections.Counter(), collections.Counter()
for name, place in all_places:
    lie[name] += len(used_parts & parts(*place))
    most_alone[name] += sum(not any(part in parts(*other) for _, other in all_places if other != place)
                            for part in used_parts & parts(*place))
v = profile['page_variables']
found = {}
for object, name, n, alone, size in zip(v['object'], v['variable'], v['parts'], v['parts_alone'], v['bytes']):
    if name not in lie:
        continue
    assert names[object].startswith('later.so: ') == name.startswith('later'), (name, names[object])
    assert names[object].endswith((': bss', ': data')), names[object]
    assert size == loads[-1][name][1] - loads[-1][name][0], (name, size)
    assert n == lie[name], (name, n, lie[name])
    assert alone <= most_alone[name], (name, alone, most_alone[name])
    found[name] = alone
assert set(found) == {name for name in lie if lie[name]}, set(found) ^ {name for name in lie if lie[name]}
assert sum(found.values()) > len(used) / 4, found

# which access touched a page first, where no other access came before all that is printed
first = {}
for address, load in used:
    first.setdefault(address // PAGE, at(load, address)[0])
touched = [variable for variable in profile['first_touches']['variable'] if variable in lie]
assert set(touched) <= set(first.values()), (touched, first)
assert len(touched) >= 4, (touched, first)

# page by page, in the trace
n = 0
for row in csv.DictReader(open('pages.csv')):
    page = int(row['page'], 16)
    there = [name for name in row['small variables there'].split() if name in lie]
    inside = [name for name, place in all_places
              if any(page <= part * PART < page + PAGE for part in used_parts & parts(*place))]
    assert set(there) == set(inside), (row['page'], there, inside)
    n += len(there)
assert n >= sum(1 for name in lie if lie[name]), n

# each use is a load and a store; those of the library were made twice
if os.path.exists('samples.json'):
    loads, used = read('said.samples')
    profile = json.load(open('samples.json'))
    wanted, sampled = collections.Counter(), collections.Counter()
    for address, load in used:
        wanted[at(load, address)[0]] += 2
    for variable, samples in zip(profile['uses']['variable'], profile['uses']['samples']):
        sampled[variable] += samples
    for name in wanted:
        assert sampled[name] == wanted[name], (name, sampled[name], wanted[name])
P
python3 compare.py || { cat said; fail 'other variables than the program says'; }
