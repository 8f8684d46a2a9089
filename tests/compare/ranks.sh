# ranks: ompp diff and ompp scaling add up the MPI ranks of each run, in whatever order their files are given, and say what does
# not belong together
. "$srcdir/tests/lib.sh"
need python3
make=$builddir/tests/compare/runs_make
for rank in 0 1; do
	"$make" . "a.r$rank." 4 1$rank rank=$rank ranks=2 noisy
	"$make" . "b.r$rank." 4 2$rank rank=$rank ranks=2 noisy planted
done
ompp diff --format=json a.r0.?.ompp a.r1.?.ompp -- b.r1.4.ompp b.r0.?.ompp b.r1.[123].ompp >diff.json || fail 'several ranks'
ompp diff --format=json a.r0.?.ompp -- b.r0.?.ompp >one.json || fail 'one rank of each run'
for run in 1 2 3 4; do
	ompp report --format=json a.r0.$run.ompp a.r1.$run.ompp >a$run.json || fail 'the ranks of a run'
done
python3 - <<'P' || fail 'sums of ranks'
import json
d, one = json.load(open("diff.json")), json.load(open("one.json"))
assert d["a"]["files"] == ["a.r0.%d.ompp + 1 more" % run for run in (1, 2, 3, 4)], d["a"]["files"]
assert d["b"]["files"] == ["b.r0.%d.ompp + 1 more" % run for run in (4, 1, 2, 3)], d["b"]["files"]
assert one["a"]["files"] == ["a.r0.%d.ompp" % run for run in (1, 2, 3, 4)]
# Each run's counts are the sum of its ranks' ones, as ompp report has them.
row = [r for r in d["rows"] if r["group"] == "counts" and r["name_a"].startswith("CRITICAL") and r["measure"] == "execC"][0]
for run, value in zip((1, 2, 3, 4), row["values_a"]):
    p = json.load(open("a%d.json" % run))
    region = p["regions"]["construct"].index("CRITICAL")
    assert int(value) == sum(n for r, n in zip(p["flat"]["region"], p["flat"]["executions"]) if r == region), (run, value)
# What was planted is found, and nothing else.
sure = {r["name_a"] for r in d["rows"] if r["sure"] == "yes" and r["group"] == "times"}
assert sure == {"PARALLEL solve.c (%s)" % l for l in ("102-111", "164-176")} | {"LOOP solve.c (%s)" % l for l in ("104-108", "166-173")}, sure
P

# by the number of ranks: as many threads as all of them have
for ranks in 1 2 4; do
	for rank in $(seq 0 $((ranks - 1))); do
		"$make" . "s$ranks.r$rank." 2 $ranks threads=2 serial=5 rank=$rank ranks=$ranks
	done
done
ompp scaling --format=csv s?.r?.?.ompp >scaling.csv || fail 'scaling by ranks'
[ "$(sed -n '/^##BEG points/,/^##END/p' scaling.csv | cut -d, -f1,2 | grep '^[0-9]' | tr '\n' ' ')" = '2,2 4,2 8,2 ' ] ||
	{ cat scaling.csv; fail 'threads of all ranks'; }
for size in 1000 2000; do
	for rank in 0 1; do
		"$make" . "n$size.r$rank." 2 $size size=$size rank=$rank ranks=2
	done
done
ompp scaling --format=csv --size=1000 n1000.*.ompp --size=2000 n2000.*.ompp >sizes.csv || fail 'sizes of runs of ranks'
[ "$(sed -n '/^##BEG points/,/^##END/p' sizes.csv | cut -d, -f1,2 | grep '^[0-9]' | tr '\n' ' ')" = '1000,2 2000,2 ' ] ||
	{ cat sizes.csv; fail 'sizes of runs of ranks'; }

# says WORDS COMMAND…
says() {
	words=$1 status=0
	shift
	"$@" >out 2>err || status=$?
	[ $status -eq 2 ] && [ ! -s out ] || { cat out err; fail "$*: status $status"; }
	grep -qF -- "$words" err || { cat err; fail "$*: does not say: $words"; }
}
says 'ompp: diff: a.r0.2.ompp, a.r0.1.ompp + 1 more: one run has the files of 1 of its ranks, and the other those of 2; give the same ranks' \
	ompp diff a.r0.1.ompp a.r1.1.ompp a.r0.2.ompp -- b.r?.1.ompp
says "the runs of one side have the files of 2 of their MPI ranks, those of the other of 1; give the same ranks of each run" ompp diff a.r?.1.ompp -- b.r0.1.ompp
"$make" . plain 1 7
says 'one is a rank of an MPI run, and the other is not' ompp diff a.r0.1.ompp plain1.ompp -- b.r0.1.ompp
says 'one is a rank of an MPI run, and the other is not' ompp scaling plain1.ompp s2.r0.1.ompp
"$make" . late 9 7 rank=1 ranks=2 # which began 80 s later
says 'a.r0.1.ompp, late9.ompp: not added up: they are ranks of two MPI runs, which did not run at the same time' ompp diff a.r0.1.ompp late9.ompp -- b.r?.1.ompp
says 'they are one run; give each run once' ompp diff a.r?.1.ompp a.r?.1.ompp -- b.r?.1.ompp
says 's1000.ompp: it stands before the first --size' sh -c 'cp n1000.r0.1.ompp s1000.ompp; ompp scaling s1000.ompp --size=2 n2000.*.ompp'
