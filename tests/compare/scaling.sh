# scaling: ompp scaling finds the serial fraction that was planted, within its interval as often as that says, and the region that
# limits; ompp run --threads makes the runs of a real program, whose law is known
. "$srcdir/tests/lib.sh"
need python3
make=$builddir/tests/compare/runs_make

# 100 times 3 runs each with 1, 2, 4 and 8 threads, of a program of which 5 % are serial
for i in $(seq 1 100); do
	for threads in 1 2 4 8; do
		"$make" . "t$threads-" 3 $((10 * i + threads)) threads=$threads serial=5 || fail 'no profiles are made'
	done
	ompp scaling --format=json t?-?.ompp >"law$i.json" || fail 'scaling'
done
python3 - <<'P' >said || { cat said; fail 'the serial fraction'; }
import json
inside = limits = near = predicted = 0
for i in range(1, 101):
    d = json.load(open("law%d.json" % i))
    f, e = d["serial_fraction"], d["serial_fraction_error"]
    assert [p["threads"] for p in d["points"]] == [1, 2, 4, 8] and all(p["runs"] == 3 for p in d["points"])
    assert d["points"][0]["speedup"] == 1 and d["points"][0]["efficiency"] == 1
    inside += abs(f - 0.05) <= 2.228 * e  # Student's t of 10 degrees of freedom
    near += abs(f - 0.05) < 0.005
    limits += d["parts"][0]["name"] == "the serial part"
    true = 1 / (0.05 + 0.95 / 16)
    p = d["predictions"][0]
    assert p["threads"] == 16 and p["from"] < p["speedup"] < p["to"]
    predicted += p["from"] <= true <= p["to"]
print("true fraction in the interval: %d of 100, of 16 threads' speed-up: %d, near: %d, limits: %d" % (inside, predicted, near, limits))
# of an interval of 95 %, fewer than 88 of 100 is a chance of one in 400
assert inside >= 88 and predicted >= 88 and near == 100 and limits == 100
P
cat said

# a region with work for one thread alone is what limits, not the serial part
for threads in 1 2 4; do
	"$make" . "l$threads-" 2 $threads threads=$threads serial=2 limited
done
ompp scaling l?-?.ompp >out || fail 'a region that limits'
grep -q '^limits: PARALLEL solve.c (68-78), of which 0\.[34][0-9]* s stay with any number of threads$' out || { cat out; fail 'what limits'; }
ompp scaling --format=csv l?-?.ompp >csv
grep -q '^##BEG points$' csv && grep -q '^##BEG classes$' csv || { cat csv; fail 'CSV'; }
imbal=$(awk -F, '/^##BEG classes/ { on = 1 } on && $1 == 4 && /68-78/ { print $5 }' csv)
near 'Imbal of a region of which three of four threads have no work' "$imbal" 75 2 || fail 'overheads by threads'

# By the size of the problem: 100 times 3 runs each of 1000, 2000, 4000 and 8000, of which one loop grows with the second power
for i in $(seq 1 100); do
	for size in 1000 2000 4000 8000; do
		"$make" . "s$size-" 3 $((10 * i + size)) size=$size serial=5 || fail 'no profiles are made'
	done
	ompp scaling --format=csv --size=8000 s8000-?.ompp --size=1e3 s1000-?.ompp --size 2000 s2000-?.ompp --size=4000 s4000-?.ompp >"size$i.csv" || fail 'by size'
done
python3 - <<'P' >said || { cat said; fail 'powers of the size'; }
import csv
square = linear = program = near = 0
for i in range(1, 101):
    tables, name = {}, None
    for row in csv.reader(open("size%d.csv" % i)):
        if row and row[0].startswith("##BEG "):
            name = row[0][6:]
            tables[name] = []
        elif row and row[0].startswith("##END"):
            name = None
        elif name and row:
            tables[name].append(row)
    assert [r[:2] for r in tables["points"][1:]] == [["1000", "3"], ["2000", "3"], ["4000", "3"], ["8000", "3"]]
    assert [r[0] for r in tables["law"][1:]] == ["16000", "32000"], tables["law"]
    assert all(float(r[2]) < float(r[1]) < float(r[3]) for r in tables["law"][1:])
    loop = 9.5 / 24 / 2  # seconds at the size 1000, with two threads
    seconds, low, high = (float(x) for x in tables["law"][1][1:])
    near += abs(seconds / (16 * 23 * loop + 256 * loop + 16 * 0.5) - 1) < 0.05
    program += low <= 16 * 23 * loop + 256 * loop + 16 * 0.5 <= high
    parts = {r[-1]: (float(r[0]), float(r[1])) for r in tables["parts"][1:]}
    assert len(parts) == 25
    t = 2.228  # Student's, of 10 degrees of freedom
    grown = [p for name, p in parts.items() if abs(p[0] - 2) < 0.1]
    assert len(grown) == 1 and grown[0] == parts[tables["parts"][1][-1]]  # which takes longest at the largest size
    square += abs(grown[0][0] - 2) <= t * grown[0][1]
    k, e = parts["the serial part"]
    linear += abs(k - 1) <= t * e
print("in the interval: true power of a loop that grows with the square %d of 100, of a part that grows as the size %d; time of the"
      " double size %d, near %d" % (square, linear, program, near))
assert square >= 88 and linear >= 88 and program >= 88 and near == 100
P
cat said
ompp scaling --size=1000 s1000-?.ompp --size=8000 s8000-?.ompp >out
grep -q '^solve: 6 runs with sizes from 1000 to 8000, 2 threads$' out &&
	grep -q '^the wall time grows with the size to the power 1\.[01][0-9]* +- 0\.0[0-9]* (standard error), fitted to all runs$' out &&
	grep -q '^grows fastest: PARALLEL solve.c ([0-9-]*), to the power [12]\.[09][0-9]* +- 0\.0[0-9]*; it takes [0-9.]* % of the largest run$' out ||
	{ cat out; fail 'by size, in sentences'; }
for size in 1000 8000; do # where all grow alike, nothing grows fastest
	"$make" . "e$size-" 3 "$size" serial=5
done
ompp scaling --size=1000 e1000-?.ompp --size=8000 s1000-?.ompp | grep 'grows fastest' && fail 'nothing grows, and something fastest'

# where more threads make it longer, the law says nothing
for threads in 1 2 4; do
	"$make" . "w$threads-" 2 $threads threads=$threads size=$((1000 * threads * threads)) serial=2
done
ompp scaling w?-?.ompp >out || fail 'more threads are slower'
grep -q "^serial fraction: not known; more threads made nothing shorter, which Amdahl's law knows nothing of$" out &&
	grep -q '^limits: PARALLEL solve.c (85-97), which took 0\.[34][0-9]* s with 1 thread and 2[0-9]\.[0-9]* s with 4$' out && grep -q '^ *any *- *- *- *- *$' out ||
	{ cat out; fail 'a law where there is none'; }

# beyond twice what was measured the law is a bound, and says so
ompp scaling --format=csv t1-?.ompp t2-?.ompp t4-?.ompp >out
[ "$(awk -F, '$5 == "prediction" || $5 == "bound" { print $1, $5 }' out | tr '\n' ' ')" = '8 prediction 16 bound any bound ' ] ||
	{ cat out; fail 'what is a prediction, and what a bound'; }

# two runs have no error, and say so
ompp scaling t1-1.ompp t2-1.ompp >out
grep -q "by Amdahl's law; two runs do not tell its error" out || { cat out; fail 'two runs'; }
ompp scaling --format=json t1-1.ompp t2-1.ompp | grep -q '"serial_fraction_error":null' || fail 'two runs in JSON'

# says STATUS WORDS COMMAND…
says() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	[ $status -eq "$want" ] || { cat out err; fail "$*: status $status, not $want"; }
	grep -qF -- "$words" err || { cat err; fail "$*: does not say: $words"; }
}
says 2 'no file; give the saved profiles' ompp scaling
says 2 'all runs had 2 threads; give runs with several numbers of threads' ompp scaling t2-1.ompp t2-2.ompp
says 2 't1-1.ompp, t1-1.ompp: they are one run' ompp scaling t1-1.ompp t1-1.ompp t2-1.ompp
"$builddir/tests/golden/example_main" profile counters >example.ompp
says 2 "they are of two programs, 'solve' and 'example'" ompp scaling t1-1.ompp example.ompp
says 1 'gone.ompp: cannot be opened' ompp scaling t1-1.ompp gone.ompp
says 2 's1000-1.ompp: it stands before the first --size; give each run a size' ompp scaling s1000-1.ompp --size=2 s2000-1.ompp
says 2 'all runs have the size 2; give runs of several' ompp scaling --size=2 s1000-1.ompp s2000-1.ompp
says 2 'they had 1 and 2 threads; give runs with one number of threads' ompp scaling --size=1 t1-1.ompp --size=2 t2-1.ompp
says 2 "'-3' is not a number above 0" ompp scaling --size=-3 t1-1.ompp t2-1.ompp
says 2 'did you mean --format' ompp scaling --fromat=csv t1-1.ompp t2-1.ompp
says 2 "'2,2' is not a list of different numbers of threads" ompp run --threads=2,2 true
says 2 "'4' is not a list of different numbers of threads" ompp run --threads=4 true
says 2 "'1,x' is not a list" ompp run --threads=1,x true
says 2 "'0' is not a number from 1 to 1000" ompp run --threads=1,2 --runs=0 true
says 2 '--runs: needs --threads, too; write --threads=1,2,4' ompp run --runs=3 true
says 2 '--reportfile: each run needs a saved profile of its own' ompp run --threads=1,2 --reportfile=x true
says 3 'did not end well with 1 threads' ompp run --threads=1,2 sh -c 'exit 3'
says 2 'all runs had 1 threads' ompp run --threads=1,2 true

# A real program: 0.15 s of serial work, and 0.6 s that the threads divide; a fifth is serial.  On a machine that has no processor
# for the second thread it is not; so what is found is compared with what follows from the times that the program took itself.
cat >amdahl.c <<'C'
#include <omp.h>
#include <stdio.h>
static void spin(double seconds)
{
	double end = omp_get_wtime() + seconds;
	while (omp_get_wtime() < end)
		;
}
int main(void)
{
	double begin = omp_get_wtime(), serial;
	spin(0.15);
	serial = omp_get_wtime() - begin;
#pragma omp parallel
	spin(0.6 / omp_get_num_threads());
	printf("measured %d %.9f %.9f\n", omp_get_max_threads(), omp_get_wtime() - begin, serial);
	return 0;
}
C
kinst "$CC" -O1 -fopenmp amdahl.c -o amdahl || fail 'kinst'
ompp run --quiet --format=csv --threads=1,2 ./amdahl >out 2>err && fail 'an option of ompp scaling for ompp run'
judge() {
	rm -f amdahl.*.ompp amdahl.*.txt
	ompp run --quiet --threads=1,2 --runs=3 ./amdahl >out || fail "ompp run --threads: $(cat out)"
	[ "$(ls amdahl.*.ompp | wc -l)" = 6 ] && [ "$(grep -c '^measured' out)" = 6 ] || fail "profiles: $(ls)"
	ompp scaling --format=json amdahl.*.ompp >found.json
	python3 - <<'P'
import json
d = json.load(open("found.json"))
runs = [[float(x) for x in line.split()[1:]] for line in open("out") if line.startswith("measured")]
mean = {p: sum(t for q, t, s in runs if q == p) / 3 for p in (1, 2)}
# through two points: T(1) = a + b, T(2) = a + b / 2
f = (2 * mean[2] - mean[1]) / mean[1]
serial = sum(s for p, t, s in runs) / 6
part = [p for p in d["parts"] if p["name"] == "the serial part"][0]
found = sum(p["wall_ns"] for p in part["points"]) / 2e9
print("serial fraction: %.4f, by the program's own times %.4f; serial part: %.4f s, %.4f s" % (d["serial_fraction"], f, found, serial))
assert abs(d["serial_fraction"] - f) < 0.04 and abs(found - serial) < 0.1 * serial + 0.01
assert abs(f - 0.2) > 0.03 or d["parts"][0]["name"] == "the serial part"
P
}
# A program that starts the one that kinst built, once or as the ranks of an MPI run.
cat >launch <<'S'
for i in 0 1; do
	OMPI_COMM_WORLD_RANK=$i OMPI_COMM_WORLD_SIZE=2 ./amdahl &
done
wait
S
ompp run --quiet --appname=shell --threads=1,2 sh -c './amdahl; :' >out || fail "a shell: $(cat out)"
grep -qx 'shell: 2 runs with 1 to 2 threads' out || fail "a shell: $(cat out)"
ompp run --quiet --appname=ranks --threads=1,2 sh ./launch >out || fail "MPI ranks: $(cat out)"
grep -qx 'ranks: 2 runs with 2 to 4 threads' out || fail "MPI ranks: $(cat out)"
retry 6 judge || { cat out; fail 'a real program'; }
