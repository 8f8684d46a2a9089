# mapped: ompp diff and ompp scaling compare the bytes that constructs for devices map, as exactly as executions; what a run
# does not know is not compared
. "$srcdir/tests/lib.sh"
need python3
make=$builddir/tests/compare/runs_make

# Of programs whose bytes are known: of three constructs, by arithmetic.
cat >maps.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), rounds = argc > 2 ? 2 : 1;
	double *a = calloc(n, sizeof(*a)), sum = 0;
#pragma omp target data map(tofrom : a[0 : n])
	for (int r = 0; r < rounds; r++) {
#pragma omp target map(tofrom : sum)
		for (int i = 0; i < n; i++)
			sum += a[i];
	}
#pragma omp target update to(a[0 : n / 2])
#pragma omp parallel
	;
	free(a);
	return sum != 0;
}
C
kinst gcc -O1 -fopenmp maps.c -o maps || fail 'kinst'
export OMPP_QUIET=1
# run NAME THREADS ARGUMENT…
run() {
	name=$1
	threads=$2
	shift 2
	OMP_NUM_THREADS=$threads OMPP_REPORTFILE=$name ./maps "$@" || fail "maps $*"
	[ -e "$name.ompp" ] || fail "no $name.ompp: $(ls)"
}
for i in 1 2; do
	run a$i 2 1000
	run b$i 2 3000 again
	run t$i 1 1000
done
ompp diff --format=json a?.ompp -- b?.ompp >diff.json && ompp diff --format=csv a?.ompp -- b?.ompp >diff.csv &&
	ompp scaling --format=json --size=1000 a?.ompp --size=3000 b?.ompp >sizes.json &&
	ompp scaling --format=json t?.ompp a?.ompp >threads.json || fail 'a comparison'
python3 - <<'P' || fail 'bytes of a program'
import json
rows = {(r["name_b"], r["measure"]): r for r in json.load(open("diff.json"))["rows"] if r["measure"].startswith("map")}
want = {("TARGET DATA", 6): ((8000, 8000), (24000, 24000)), ("TARGET", 8): ((8, 8), (16, 16)), ("TARGET UPDATE", 12): ((4000, 0), (12000, 0))}
assert len(rows) == 5, rows.keys()  # what is 0 in all runs has no row
for (kind, line), (a, b) in want.items():
    for k, measure in enumerate(("mapToB", "mapFromB")):
        row = [r for (name, m), r in rows.items() if m == measure and name.startswith("%s maps.c (%d-" % (kind, line))]
        if not a[k] and not b[k]:
            assert not row
            continue
        assert len(row) == 1, (kind, line, rows.keys())
        row = row[0]
        assert row["values_a"] == 2 * [a[k]] and row["values_b"] == 2 * [b[k]] and row["group"] == "counts" and row["unit"] == "B", row
        assert row["certainty"] == "exact" and row["sure"] == ("exact" if a[k] != b[k] else "same"), row
for name, key, points in (("sizes.json", "size", (1000, 3000)), ("threads.json", "threads", (1, 2))):
    mapped = json.load(open(name))["mapped"]
    assert len(mapped) == 3, mapped
    for (kind, line), (a, b) in want.items():
        m = [m for m in mapped if m["name"].startswith("%s maps.c (%d-" % (kind, line))][0]
        got = [(p[key], (p["to_bytes"], p["from_bytes"])) for p in m["points"]]
        assert got == [(points[0], a), (points[1], b if key == "size" else a)], got
P
ompp diff a?.ompp -- b?.ompp | grep -q '^ *8 000 *24 000 .*(200.0%) exact mapToB  *TARGET DATA maps.c (6-' || fail 'text of ompp diff'
ompp scaling --size=1000 a?.ompp --size=3000 b?.ompp >out
grep -qxE ' *3 ?000 +24 000 +24 000 TARGET DATA maps.c \(6-[0-9]+\)' out || { cat out; fail 'text of ompp scaling'; }
status=0
ompp diff --fail-over=5 --fail-on=counts a?.ompp -- b?.ompp >out 2>err || status=$?
[ $status = 3 ] && grep -q 'TARGET DATA maps.c (6-[0-9]*): mapToB is 200.0 % more' err || { cat err; fail "--fail-on=counts: $status"; }

# What one run does not know has no mean; programs without such constructs have no table.
"$make" . k 2 11 maps=3 size=1000
"$make" . u 2 12 maps=-1 size=2000
"$make" . n 2 13 size=3000
"$make" . m 2 14 size=4000
ompp diff --format=csv k?.ompp -- u?.ompp >csv
! grep map csv || fail 'bytes that are not known'
ompp scaling --size=1000 k?.ompp --size=2000 u?.ompp --size=3000 n?.ompp >out
grep -qxE ' *1 ?000 +30 000 +15 000 TARGET solve.c \(900-904\)' out && grep -qxE ' *2 ?000 +- +- TARGET solve.c \(900-904\)' out &&
	grep -qxE ' *3 ?000 +0 +0 TARGET solve.c \(900-904\)' out || { tail -5 out; fail 'not known, and not there'; }
ompp diff --format=csv n?.ompp -- m?.ompp >csv
! grep map csv || fail 'bytes of a program without such constructs'
ompp scaling --format=csv --size=3000 n?.ompp --size=4000 m?.ompp >csv
! grep 'BEG mapped' csv || fail 'a table of a program without such constructs'
ompp scaling --format=html --size=1000 k?.ompp --size=2000 u?.ompp >page.html && grep -q '"mapped":' page.html || fail 'the page'
