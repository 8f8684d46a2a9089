# history: ompp history orders profiles by commit, finds the commit at which a region of a real program became slower, tells
# nothing from few runs, leaves out what cannot be compared, and has exit statuses for CI
. "$srcdir/tests/lib.sh"
need git
need python3
export HOME="$work"
own_git

# says STATUS WORDS COMMAND…
says() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	[ $status = "$want" ] || { cat out err; fail "$*: status $status, not $want"; }
	[ -z "$words" ] || grep -qF -- "$words" out err || { cat out err; fail "$*: does not say: $words"; }
}

# seven commits of a program with two regions that sleep: one becomes slower with the sixth commit, and moves in the file
mkdir source
(
	cd source
	git init -q
	for i in 1 2 3 4 5 6 7; do
		ms=100
		[ $i -lt 6 ] || ms=300
		{
			printf '#include <unistd.h>\n'
			[ $i -lt 3 ] || printf '/* more */\n\n'
			printf 'int main(void)\n{\n#pragma omp parallel num_threads(2)\n\tusleep(%s000);\n' $ms
			printf '#pragma omp parallel num_threads(2)\n\t{\n\t\tusleep(100000);\n\t}\n\treturn 0;\n}\n'
		} >prog.c
		git add prog.c
		GIT_COMMITTER_DATE="$((1700000000 + i * 100)) +0000" git commit -q --allow-empty -m "commit $i"
		git tag "v$i"
		KINST_FLAGS=--stamp kinst "${CC:-gcc}" -fopenmp prog.c -o "../prog.$i" || exit 1
	done
) || fail 'the programs are not built'

# measure FOLDER: four runs of each version, the newest first
measure() {
	rm -rf "$1"
	for i in 7 6 5 4 3 2 1; do
		for run in 1 2 3 4; do
			mkdir -p "$1/v$i/$run"
			OMPP_QUIET=1 OMPP_APPNAME=prog OMPP_OUTDIR="$PWD/$1/v$i/$run" "./prog.$i" || return 1
		done
	done
}

judge() {
	python3 - <<'P'
import json
h = json.load(open("history.json"))
assert h["format"] == "ompp-history" and [v["name"] for v in h["versions"]] == [f"v{i}" for i in range(1, 8)], h["versions"]
assert all(v["runs"] == 4 for v in h["versions"]) and h["left_out"] == 0
series = {s["name"]: s for s in h["series"]}
program, slow, same = series["wall time"], None, None
for name, s in series.items():
    if name.startswith("PARALLEL prog.c (6-7)"):
        slow = s
    elif name.startswith("PARALLEL prog.c"):
        same = s
assert slow and same, list(series)
for s in (program, slow):
    assert s["course"] == "changed" and len(s["changes"]) == 1, s
    change = s["changes"][0]
    assert change["version_index"] == 5 and change["version_index_from"] <= 5 <= change["version_index_to"], change
    assert change["ratio_from"] <= change["ratio"] <= change["ratio_to"] and change["p"] <= 0.05
assert 2 < slow["changes"][0]["ratio"] < 4, slow
assert same["course"] in ("steady", "drift"), same
assert h["series"][0] is program and h["series"][1] is slow
assert len(slow["run_ns"]) == 28 and sorted(slow["run_ns"][:4])[1] <= slow["median_ns"][0] <= sorted(slow["run_ns"][:4])[2]
P
}
attempt() {
	measure runs || return 1
	ompp history --format=json runs >history.json || return 1
	judge || return 1
	# of the first six versions the newest one is the slower one
	rm -rf ended
	mkdir ended
	cp -r runs/v[1-6] ended
	status=0
	ompp history --fail-on=slower ended >out 2>err || status=$?
	[ $status = 3 ] && grep -q 'slower .* from v6 on' err
}
retry 4 attempt || fail 'the change of a real program'

ompp history runs >out || fail 'text'
for words in 'prog: 7 versions, 28 runs' 'Versions, oldest first' 'times that changed: 2' ' v6' '▁'; do
	grep -qF "$words" out || { cat out; fail "text lacks: $words"; }
done
[ "$(awk '{ n = length($0) } n > 160 { m = 1 } END { print m + 0 }' out)" = 0 ] || fail 'long lines'
ompp history --format=csv runs >csv || fail 'CSV'
grep -q '^1,4,.*,v1,' csv && grep -q 'changed' csv || { cat csv; fail 'CSV'; }
says 3 'slower' ompp history --fail-on=ever-slower runs
# between two versions runs alone have to tell, so a small change may be one of chance
says 0 '' ompp history --fail-on=slower --least=50 runs/v1 runs/v2
says 3 'from v6 on' ompp history --fail-on=slower ended
says 3 'from v6 on' ompp history --fail-on=changed ended
says 0 '' ompp history --fail-on=slower --least=900 ended
says 0 '' ompp history ended
find runs -name '*.ompp' >list
# shellcheck disable=SC2046
says 0 '7 versions, 28 runs' ompp history $(cat list)

# few runs: nothing is told
# shellcheck disable=SC2046
says 0 'too few runs to tell anything' ompp history --fail-on=ever-slower $(find runs -path '*/v[16]/1/*.ompp')
says 0 '1 version, 1 run' ompp history --fail-on=changed "$(head -1 list)"

# what cannot be compared, or read, is left out and said
OMPP_QUIET=1 OMPP_APPNAME=other OMPP_OUTDIR=$work/runs ./prog.1
touch -d '2001-01-01' runs/other*.ompp
status=0
ompp history runs >out 2>err || status=$?
[ $status = 0 ] && grep -q 'profiles left out: 28: they are of another program' err || { cat err; fail 'another program'; }
rm runs/other*
cp "$(head -1 list)" runs/again.ompp
says 0 'profiles left out: 1: they are the same runs as others' ompp history runs
rm runs/again.ompp
head -c 100 "$(head -1 list)" >runs/broken.ompp
says 1 'runs/broken.ompp' ompp history runs
grep -q '7 versions, 28 runs' out || { cat out; fail 'one broken file of many'; }
rm runs/broken.ompp
mkdir none
says 1 'there is none that can be read' ompp history none
says 2 'no file' ompp history
says 2 'did you mean' ompp history --fail-on=slwer runs
says 2 'is not a number' ompp history --least=much runs

# a report of a run that has not ended is left out, and said
make=$builddir/tests/compare/runs_make
mkdir ended.not
"$make" ended.not done 3 1
"$make" ended.not running 5 2 unfinished
rm ended.not/running[123].ompp
says 0 'profiles left out: 2: they are reports of runs that had not ended (ended.not/running4.ompp is the first)' ompp history ended.not
grep -q ': 3 versions, 3 runs$' out || { cat out; fail 'runs that have not ended'; }

# MPI ranks: twelve runs of two ranks, each a version.  What does not fit is left out and counted, the rest are added up.
mkdir ranks
for rank in 0 1; do
	"$make" ranks "r$rank." 12 1$rank rank=$rank ranks=2
done
# left_out N RUNS STATUS WORDS: so many files are left out, so many runs of two ranks remain
left_out() {
	says "$3" "$4" ompp history ranks
	[ -n "$4" ] || [ ! -s err ] || { cat err; fail 'complaints of complete runs'; }
	says "$3" '' ompp history --format=json ranks
	cp out ranks.json
	python3 - "$1" "$2" <<'P' || fail "ranks: $4"
import json
import subprocess
import sys

h = json.load(open("ranks.json"))
assert h["left_out"] == int(sys.argv[1]), h["left_out"]
assert len(h["versions"]) == int(sys.argv[2]) and all(v["runs"] == 1 for v in h["versions"]), h["versions"]
# the time of a region is that of both ranks' threads, as the reports of the files say
region = [s for s in h["series"] if s["name"].startswith("CRITICAL")][0]
for v, version in enumerate(h["versions"]):
    run = (int(version["start_unix_ns"]) - 1600000000000000000) // 10000000000
    total = 0
    for rank in (0, 1):
        p = json.loads(subprocess.check_output(["ompp", "report", "--format=json", f"ranks/r{rank}.{run}.ompp"]))
        n = p["regions"]["construct"].index("CRITICAL")
        total += sum(int(t) for r, t in zip(p["flat"]["region"], p["flat"]["exec_ns"]) if r == n)
    assert abs(region["run_ns"][v] - total) <= 1e-9 * total, (run, region["run_ns"][v], total)
P
}
left_out 0 12 0 ''
cp ranks/r1.3.ompp ranks/again.ompp
left_out 1 12 0 'profiles left out: 1: they are the same runs as others'
rm ranks/r1.1.ompp # of the oldest run: the others keep their partners
left_out 2 11 0 'profiles left out: 1: their runs do not have the files of the MPI ranks that most runs have (ranks/r0.1.ompp is the first)'
rm ranks/r0.12.ompp # and of the newest one the other rank
left_out 3 10 0 'profiles left out: 2: their runs do not have the files'
"$make" ranks r0. 7 10 rank=0 ranks=2 unfinished only=7 # a rank that crashed
left_out 5 9 0 'profiles left out: 3: their runs do not have the files'
grep -q 'profiles left out: 1: they are reports of runs that had not ended (ranks/r0.7.ompp is the first)' err || { cat err; fail 'a rank that crashed'; }
head -c 100 ranks/r0.5.ompp >part && mv part ranks/r0.5.ompp
left_out 7 8 1 'profiles left out: 4: their runs do not have the files'
"$make" ranks plain 2 3
"$make" ranks other0. 9 20 rank=0 ranks=2 app=other
"$make" ranks other1. 9 21 rank=1 ranks=2 app=other
left_out 27 8 1 'profiles left out: 20: they are of another program'
mkdir one # rank of each run
"$make" one r1. 6 1 rank=1 ranks=2
says 0 ': 6 versions, 6 runs' ompp history one
[ ! -s err ] || { cat err; fail 'one rank of each run'; }

# a drift counts in the verdict, and fails where it is asked for
mkdir longer shorter
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$make" longer t $i 4 size=$((1000 + 40 * i)) only=$i
	"$make" shorter t $i 4 size=$((2000 - 40 * i)) only=$i
done
for kind in longer shorter; do
	ompp history --format=json $kind >$kind.json || fail "drift to $kind"
	ompp history $kind >out || fail "drift to $kind"
	grep -q 'that drift from the oldest version to the newest: [1-9]' out || { cat out; fail "$kind: no drift in the verdict"; }
done
python3 - <<'P' || fail 'drifts'
import json
for kind, ratio in (("longer", 1400 / 1040), ("shorter", 1600 / 1960)):
    s = json.load(open(kind + ".json"))["series"]
    loops = [x for x in s if x["course"] == "drift" and x["name"].startswith("LOOP")]
    assert len(loops) > 10 and all(x["drift_from"] < x["drift"] < x["drift_to"] and not x["changes"] for x in loops), kind
    assert sum(x["drift_from"] < ratio < x["drift_to"] for x in loops) > len(loops) / 2, kind
    order = [{"changed": 0, "drift": 1}.get(x["course"], 2) for x in s[1:]]
    assert order == sorted(order), order
P
says 3 'drifts: ' ompp history --fail-on=ever-slower longer
says 3 ' slower (' ompp history --fail-on=changed longer
says 3 'drifts: ' ompp history --fail-on=changed shorter
says 0 '' ompp history --fail-on=ever-slower shorter
says 0 '' ompp history --fail-on=slower longer

# the JSON keeps its schema, which misses each member and takes no other
if python3 -c 'import jsonschema' 2>/dev/null; then
	python3 "$srcdir/tests/compare/history_schema.py" "$srcdir/env/ompp-history-1.schema.json" history.json longer.json ranks.json ||
		fail 'the schema'
fi

# strangers' names: a stamp cannot write to a terminal
KINST_FLAGS="--stamp=$(printf 'x\033[31m')" kinst "${CC:-gcc}" -fopenmp source/prog.c -o strange
OMPP_QUIET=1 OMPP_OUTDIR=$work/strange.runs ./strange
ompp history strange.runs >out || fail 'a strange stamp'
! grep -q "$(printf '\033')" out || fail 'a stamp writes control characters'
