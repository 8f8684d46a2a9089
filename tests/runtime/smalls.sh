# smalls: samples tell variables apart that are too small for objects of their own: what a program prints that it did with
# each, all of which is sampled, is what the profile says of each; those with most samples have their names.  What is found
# about memory of several of them names them, and says so where it does not know which they are.
. "$srcdir/tests/lib.sh"
need python3
grep -q '^flags.* rdtscp' /proc/cpuinfo || skip 'this processor does not tell where a thread is'

# 80 variables of each kind and size: variable i is read 10 + 3 i times, and written as often as i is odd.
awk -v seed=7 'BEGIN {
	srand(seed)
	print "#include <stdio.h>"
	n = 80
	for (i = 0; i < n; i++) {
		value[i] = i % 4 == 1 ? " = { 1 }" : ""
		words[i] = 1 + int(rand() * (i % 9 ? 6 : 400))
		if (i % 3)
			printf "%slong v%d[%d]%s;\n", i % 3 == 1 ? "static " : "", i, words[i], value[i]
	}
	print "static long large[1000];\nstatic const long fixed[4] = { 1, 2, 3, 4 };"
	for (i = 0; i < n; i++) {
		printf "static __attribute__((noinline)) void use%d(void)\n{\n", i
		if (!(i % 3))
			printf "\tstatic long v%d[%d]%s;\n", i, words[i], value[i]
		printf "\tfor (int k = 0; k < %d; k++) %s((volatile long *)v%d)[k %% %d]%s;\n", 10 + 3 * i, i % 2 ? "" : "(void)",
			i, words[i], i % 2 ? "++" : ""
		printf "\tprintf(\"%sv%d %d %d\\n\");\n}\n", i % 3 ? "" : "use" i ".", i, 10 + 3 * i, i % 2 ? 10 + 3 * i : 0
	}
	print "int main(void)\n{"
	for (i = 0; i < n; i++)
		print "\tuse" i "();"
	print "\tfor (int k = 0; k < 500; k++) ((volatile long *)large)[k]++, (void)((volatile const long *)fixed)[k % 4];"
	print "#pragma omp parallel\n\t{ }\n\treturn 0;\n}"
}' >many.c
kinst --access $CC -w -g -O1 -fopenmp many.c -o many
export OMPP_QUIET=1 OMPP_OBJECTS=all OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1
OMPP_TRACE=1 OMP_NUM_THREADS=1 ./many >out || fail "many ends with $?"
ompp report --format=json many.*.ompp >json
python3 - out json <<'P' || { cat out; fail 'other samples of variables'; }
import json, sys
said = {name: (int(loads), int(stores)) for name, loads, stores in (l.split() for l in open(sys.argv[1]))}
profile = json.load(open(sys.argv[2]))
uses, names = profile["uses"], profile["objects"]["name"]
found, nameless = {}, [0, 0]
for object, variable, kind, n in zip(uses["object"], uses["variable"], uses["kind"], uses["samples"]):
    rest = names[object] in ("many: bss", "many: data")
    assert rest or not variable, (names[object], variable)
    sums = found.setdefault(variable, [0, 0]) if variable else nameless
    if rest:
        sums[kind == "stores"] += n
assert len(said) == 80 and len(found) == 64, (len(said), len(found))
for name, sums in found.items():
    assert said[name] == tuple(sums), (name, said[name], sums)
least = sorted(said.values(), key=sum)
assert min(map(sum, found.values())) == sum(least[16]), found
assert nameless == [sum(s[i] for s in least[:16]) for i in (0, 1)], nameless
P

# The same in the report's table, which has one line for those without a name, and in the trace, where each is an object.
ompp report --format=csv many.*.ompp >csv
ompp flow --view=objects --format=csv many.*.ompp.flow >flow
awk -F, '
	FNR == 1 { part++; inside = 0 }
	part == 1 { split($0, w, " "); said[w[1]] = w[2] + w[3]; all += w[2] + w[3]; next }
	part == 2 && /^##(BEG|END)/ { inside = /BEG small variables/; next }
	part == 2 && inside && $2 == "(others)" { left += $3 }
	part == 2 && inside && $2 in said { n++; known += $3; if ($3 != $4 || $3 != said[$2]) bad = bad " " $0 }
	part == 3 && $1 in said { n_flow++; if ($2 != said[$1]) bad = bad " " $0 }
	part == 3 && $1 ~ /: (bss|data)$/ { bad = bad " " $0 }
	END { print n, n_flow, known + left, all, bad; exit bad != "" || n != 64 || n_flow != 80 || known + left != all }' \
	out csv flow || fail 'other samples of variables in the table, or in the trace'
ompp report --view=data many.*.ompp | tr -s '\n ' ' ' >text
grep -q 'many: bss: of its sampled accesses 4\.[0-9] +- [0-9.]* % are to v79, ' text || fail 'no variables below the data objects'
OMPP_SAMPLE=off OMPP_OUTFORMAT=ASCII OMPP_REPORTFILE=plain.txt OMP_NUM_THREADS=1 ./many >out
tr -s '\n ' ' ' <plain.txt >text
grep -q 'many: bss: which variables these are is not known; samples would tell' text || fail 'not said that variables are not known'

# One page that both of two emulated nodes write: variables of the program, and of a library, whose names are known unless
# it is stripped.
cat >page.c <<'C'
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#ifndef LIBRARY
static long cnt[8] __attribute__((aligned(4096))), sum[4];
static char wide[8192];
void hit(int t, long n);
int main(void)
{
	int is_one = (uintptr_t)cnt / 4096 == (uintptr_t)sum / 4096;

	printf("%d\n", is_one);
	cnt[0] = sum[0] = wide[0] = 0;
	hit(-1, 0);
#pragma omp parallel num_threads(2)
	{
		int t = omp_get_thread_num();

		for (int i = 0; i < 300000; i++) {
			((volatile long *)cnt)[t]++;
			if (i % 4 == 0 && is_one)
				((volatile long *)sum)[t]++;
		}
		hit(t, 300000);
	}
	return 0;
}
#else
static long inner[8] __attribute__((aligned(4096))), pad[2048];
void hit(int t, long n)
{
	if (t < 0)
		inner[0] = pad[0] = 0;
	for (long i = 0; i < n; i++)
		((volatile long *)inner)[t]++;
}
#endif
C
kinst --access $CC -g -O1 -fopenmp -fno-toplevel-reorder -shared -fPIC -DLIBRARY page.c -o libpage.so
kinst --access $CC -g -O1 -fopenmp -fno-toplevel-reorder page.c -o page -L. -lpage -Wl,-rpath,.
OMPP_SAMPLE_PERIOD=97 OMPP_NUMA=emulate:2 ./page >out
ompp report --view=properties --property-min=0 page.*.ompp | tr -s '\n ' ' ' >text
case $(cat out) in
1) grep -q 'Several NUMA nodes use one page\. cnt and sum in page: bss: .* Of its accesses there [78][0-9]\.[0-9] +- [0-9.]* % are to cnt, [12][0-9]\.[0-9] +- [0-9.]* % to sum\. ' text ;;
*) grep -q 'Several NUMA nodes use one page\. cnt in page: bss: ' text ;;
esac || { cat out text; fail 'no finding with the names of variables'; }
grep -q 'Several NUMA nodes use one page\. inner in libpage\.so: bss: ' text || { cat text; fail 'no name of a variable of a library'; }
strip libpage.so && rm page.*.ompp
OMPP_SAMPLE_PERIOD=97 OMPP_NUMA=emulate:2 ./page >out
ompp report --view=properties --property-min=0 page.*.ompp | tr -s '\n ' ' ' >text
grep -q 'Several NUMA nodes use one page\. variables in libpage\.so: bss: .* Which variables these are is not known\.' text ||
	{ cat text; fail 'no finding that says that no names are known'; }

# Misses of the modelled caches have no addresses: then each small variable is an object of its own.
OMPP_SAMPLE=off OMPP_CACHE=L1=1K/2/64 OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=model.csv ./page >out
grep -q '^cnt,.*,600000,' model.csv || { grep -A4 '^##BEG data objects' model.csv; fail 'no counts of a small variable'; }
