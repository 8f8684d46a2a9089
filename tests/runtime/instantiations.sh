# instantiations: regions in templates are told apart by the function as instantiated, by gcc and clang, by both
# engines; --by=place adds them up; names agree with binutils', counts with the program's
. "$srcdir/tests/lib.sh"
need python3
need nm
[ -n "$GXX" ] || skip "g++ is not installed"
export OMPP_QUIET=1 OMP_NUM_THREADS=2
kinst=$builddir/kinst ompp=$builddir/ompp
n_functors=6

# parallel_for is called with functor I I times, with two lambdas 7 and 8 times, and from another file.
cat >par.hpp <<'H'
#ifdef __cplusplus
template <class F> void parallel_for(int n, F f)
{
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < n; i++)
			f(i);
#pragma omp critical(x)
		f(0);
	}
}
template <class T> struct Grid {
	T v[100];
	Grid()
	{
#pragma omp parallel for default(none)
		for (int i = 0; i < 100; i++)
			v[i] = 1;
	}
	void sweep();
	template <class U> struct In {
		static T sum(U u)
		{
			T s = 0;
#pragma omp parallel for reduction(+ : s)
			for (int i = 0; i < 10; i++)
				s += u;
			return s;
		}
		bool operator<(int k) const
		{
#pragma omp parallel
			;
			return k > 0;
		}
	};
};
template <class T> void Grid<T>::sweep()
{
#pragma omp parallel for
	for (int i = 0; i < 100; i++)
		v[i] *= 2;
#pragma omp task
	v[0]++;
#pragma omp taskwait
}
struct Plain {
	bool operator<(int k) const
	{
#pragma omp parallel
		;
		return k > 1;
	}
};
template <class F> static void inner(F f)
{
	parallel_for(4, f);
}
struct Shared {
	void operator()(int) const {}
};
#endif
static inline void both(void)
{
#pragma omp parallel
	;
}
H
cat >other.cpp <<'C'
#include "par.hpp"
void other()
{
	parallel_for(3, Shared());
	inner(Shared());
	both();
}
C
printf '#include "par.hpp"\nvoid third(void) { both(); }\n' >third.c
{
	printf '#include <cstdio>\n#include "par.hpp"\nvoid other();\nextern "C" void third();\nstatic double p[100];\n'
	for i in $(seq $n_functors); do
		echo "struct K$i { void operator()(int i) const { p[i] += $i; } };"
	done
	printf 'int main()\n{\n'
	for i in $(seq $n_functors); do
		echo "	for (int k = 0; k < $i; k++) parallel_for(10, K$i());"
	done
	cat <<'C'
	for (int k = 0; k < 7; k++)
		parallel_for(10, [](int i) { p[i]++; });
	for (int k = 0; k < 8; k++)
		parallel_for(10, [](int i) { p[i]--; });
	parallel_for(3, Shared());
	inner(Shared());
	other();
	both();
	third();
	Grid<double> a;
	Grid<float> b;
	a.sweep();
	b.sweep();
	b.sweep();
	double s = Grid<int>::In<int>::sum(3) + Grid<int>::In<long>::sum(3);
	auto generic = [&](auto x) {
#pragma omp parallel for reduction(+ : s)
		for (int i = 0; i < 10; i++)
			s += x;
	};
	generic(1);
	generic(2.0);
	std::printf("%g %g %d %d\n", s, p[3], Grid<int>::In<int>() < 3, Plain() < 3);
	return 0;
}
C
} >main.cpp

cat >check.py <<'P'
import json, re, sys
how, compiler, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
d, folded = (json.load(open(f)) for f in ("report.json", "place.json"))

def regions(d):
    """(construct, line, instantiation) -> how often one thread executed it"""
    out = {}
    f = d["flat"]
    r = d["regions"]
    for i, region in enumerate(f["region"]):
        if f["construct"][i] == r["construct"][region] and d["threads"]["label"][f["thread"][i]] == "0":
            key = (f["construct"][i], r["begin_line"][region], r["instantiation"][region])
            assert key not in out, key
            out[key] = f["executions"][i]
    return out

def total(d, key):
    """What all regions of a place have together."""
    out = {}
    f = d["flat"]
    for i, region in enumerate(f["region"]):
        at = (f["construct"][i], d["regions"]["begin_line"][region], f["thread"][i])
        out[at] = out.get(at, 0) + (f[key][i] or 0)
    return out

got = regions(d)
parallel = {k[2]: v for k, v in got.items() if k[0] == "PARALLEL" and k[1] == 4}
lambdas = sorted(v for k, v in parallel.items() if re.search(r"lambda|\$", k))
assert lambdas == [7, 8], (how, parallel)
want = {"parallel_for<K%d>" % i: i for i in range(1, n + 1)}
want["parallel_for<Shared>"] = 4                       # of two files, directly and by inner()
assert {k: v for k, v in parallel.items() if "lambda" not in k and "$" not in k} == want, (how, parallel)
for construct in ("LOOP", "CRITICAL"):                 # what is inside is told apart, too
    assert {k[2] for k in got if k[0] == construct} == set(parallel), (how, construct)
others = {k[2]: v for k, v in got.items() if k[0] == "PARALLEL LOOP"}
generic = [v for k, v in others.items() if re.search(r"^main::.*::operator\(\)<(int|double)>$", k)]
assert generic == [1, 1], (how, others)
assert {k: v for k, v in others.items() if not k.startswith("main")} == {
    "Grid<double>::Grid": 1, "Grid<float>::Grid": 1, "Grid<double>::sweep": 1, "Grid<float>::sweep": 2,
    "Grid<int>::In<int>::sum": 1, "Grid<int>::In<long>::sum": 1}, (how, others)
# an operator's name is no template, and what is no template has no name; C and two files of C++ share both()
plain = sorted(v for k, v in got.items() if k[0] == "PARALLEL" and not k[2])
assert plain == [1, 3], (how, got)
operators = [k[2] for k in got if k[:2] == ("PARALLEL", 33)]
assert operators == ["Grid<int>::In<int>::operator<"], (how, operators)

# Each name is one that binutils make of a symbol, which has the arguments of the functions, too.
def short(name):
    name = name.replace("operator()", "operator@").replace(" ", "").replace("const", "")
    while (less := re.sub(r"\([^()]*\)", "", name)) != name:
        name = less
    return name

symbols = {short(line.strip()) for line in open("symbols")}
for k in got:
    assert not k[2] or short(k[2]) in symbols, (how, k[2], short(k[2]), sorted(symbols))

# By place: as many regions as places, and the sums of the instantiations.
by_place = regions(folded)
assert all(not k[2] for k in by_place) and len(by_place) == len({k[:2] for k in got}), (how, by_place)
for key in ("executions", "exec_ns", "body_ns", "exit_bar_ns", "startup_ns", "mgmt_ns", "cost_ns"):
    assert total(d, key) == total(folded, key), (how, key)
assert len(folded["waits"]["cell"]) < len(d["waits"]["cell"])
for key in ("arrivals", "work_ns"):
    assert sum(folded["waits"][key]) == sum(d["waits"][key]), (how, key)
P

# look WHAT COMPILER: checks the profile of ./program.
look() {
	rm -f program.2-*
	./program >out || fail "$1: ends with $?"
	same "$1: what it prints" want out
	nm -C program | sed -n 's/^[0-9a-f]* [a-zA-Z] \(.*\)::\(__kinst_\|opari2_region_\)[0-9]*$/\1/p' >symbols
	"$ompp" report --format=json program.2-0.ompp >report.json
	"$ompp" report --format=json --by=place program.2-0.ompp >place.json
	"$ompp" report --format=csv --by=place program.2-0.ompp >place.csv
	python3 check.py "$1" "$2" $n_functors || fail "$1"
}

check() {
	for engine in kinst opari2; do
		command -v opari2 >/dev/null || [ $engine = kinst ] || continue
		for flags in -O0 '-O2 -flto'; do
			how="$1 $flags, $engine"
			"$kinst" --strict --engine=$engine "$1" $flags -std=c++14 -w -fopenmp -c main.cpp other.cpp || fail "$how: main.cpp"
			"$kinst" --strict --engine=$engine $2 $flags -w -fopenmp -c third.c || fail "$how: third.c"
			"$kinst" "$1" $flags -w -fopenmp main.o other.o third.o -o program || fail "$how: link"
			look "$how" "$1"
		done
	done
}

$CC -c third.c -o third.o
"$GXX" -std=c++14 -w -fopenmp main.cpp other.cpp third.o -o plain || fail 'the plain build'
./plain >want
check "$GXX" "$CC"
if command -v clang++ >/dev/null; then
	check clang++ clang
fi

# In text, in CSV, and to choose by.
"$ompp" report --view=overview program.2-0.ompp | grep -q 'par.hpp (4-11) in parallel_for<K2>' || fail 'the overview'
"$ompp" report --format=csv --view=flat program.2-0.ompp >flat.csv
[ "$(grep -c 'par.hpp,4,11,parallel_for<K3>' flat.csv)" = 1 ] || fail 'CSV'
"$ompp" report --view=overview --region='parallel_for<K3>' program.2-0.ompp >chosen
[ "$(grep -c R0 chosen)" = 3 ] && ! grep -q K2 chosen || { cat chosen; fail '--region'; }
rc=0 && "$ompp" report --by=place --region='parallel_for<K3>' program.2-0.ompp 2>err || rc=$?
[ $rc = 2 ] || fail "--region with --by=place: $rc"
rc=0 && "$ompp" report --by=plac program.2-0.ompp 2>err || rc=$?
[ $rc = 2 ] && grep -q "did you mean 'place'" err || fail "--by=plac: $(cat err)"
"$ompp" diff program.2-0.ompp program.2-0.ompp | grep -q 'Nothing differs' || fail 'ompp diff'

# Those of a library, which is unloaded before the report is made, have their names.
printf '#include "par.hpp"\nextern "C" void use() { parallel_for(3, Shared()); }\n' >library.cpp
cat >load.c <<'C'
#include <dlfcn.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./liblibrary.so", RTLD_NOW);
		((void (*)(void))dlsym(library, "use"))();
		dlclose(library);
	}
	return 0;
}
C
"$kinst" "$GXX" -w -fno-gnu-unique -fopenmp -shared -fPIC library.cpp -o liblibrary.so || fail 'the library'
"$kinst" $CC -w -fopenmp load.c -o load -ldl || fail 'the program that loads it'
./load || fail "loading: ends with $?"
"$ompp" report --format=csv --view=flat load.2-0.ompp >flat.csv
[ "$(csv_field flat.csv 'PARALLEL:parallel_for<Shared>' 0 execC)" = 3 ] || { cat flat.csv; fail 'an unloaded library'; }

# Accesses to data add up, too.
$CC -c third.c -o third.o
"$kinst" --access "$GXX" -std=c++14 -O1 -w -fopenmp main.cpp other.cpp third.o -o access || fail 'accesses'
OMPP_DATA=p ./access >out
"$ompp" report --format=json access.2-0.ompp >access.json
"$ompp" report --format=json --by=place access.2-0.ompp >place.json
python3 - <<'P' || fail 'accesses by place'
import json
a, b = (json.load(open(f))["accesses"] for f in ("access.json", "place.json"))
keys = list(zip(b["path"], b["thread"], b["object"]))
assert len(set(keys)) == len(keys) < len(a["path"]), (len(keys), len(a["path"]))
for key in ("loads", "stores", "load_bytes"):
    assert sum(a[key]) == sum(b[key]) > 0, key
P

# Without symbols they are one region again, and nothing is lost.
strip program -o stripped
./stripped >out
"$ompp" report --format=json stripped.2-0.ompp >stripped.json
"$ompp" report --format=json --by=place program.2-0.ompp >place.json
python3 - <<'P' || fail 'a stripped program'
import json
a, b = (json.load(open(f)) for f in ("stripped.json", "place.json"))
places = lambda d: sorted(zip(d["regions"]["construct"], d["regions"]["begin_line"]))
rows = lambda d: zip(*(d["flat"][k] for k in ("region", "construct", "thread", "executions")))
count = lambda d: sorted((d["regions"]["begin_line"][r], c, t, n) for r, c, t, n in rows(d))
assert not any(a["regions"]["instantiation"])
assert places(a) == places(b), (places(a), places(b))
assert count(a) == count(b)
P

# A name that a stranger wrote does nothing to the terminal.
$CC -c third.c -o third.o
"$kinst" "$GXX" -std=c++14 -w -fopenmp main.cpp other.cpp third.o -o program || fail 'link'
python3 - <<'P'
data = open("program", "rb").read()
assert b"_ZZ12parallel_for" in data
open("hostile", "wb").write(data.replace(b"_ZZ12parallel_for", b"_ZZ12parallel\x1b[2m"))
P
chmod +x hostile
./hostile >out
same 'what the hostile program prints' want out
"$ompp" report --view=overview hostile.2-0.ompp >report
! grep -q "$(printf '\033')" report hostile.2-0.ompp.txt || fail 'a control character'
grep -q 'in .*\\x1b' report || { cat report; fail 'the clean name'; }
