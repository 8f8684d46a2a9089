# tracked: of many blocks that one call allocates those that stand out have counts of their own, which are what the program
# says itself; bounds and losses are told, and the object's sum is what it is without them
. "$srcdir/tests/lib.sh"
need python3
"$builddir/kinst" --access $CC -g -O1 -fopenmp "$srcdir/tests/runtime/tracked.c" -o tracked

# run NAME MODE…: runs the program; its words are in NAME.says, its profile is NAME.ompp
run() {
	name=$1
	shift
	OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME="$name" OMP_NUM_THREADS=3 ./tracked "$@" >"$name.says"
	mv "$name".*.ompp "$name.ompp"
	ompp report --format=json "$name.ompp" >"$name.json"
}

cat >check.py <<'P'
import json, sys

name = sys.argv[1]
p = json.load(open(name + ".json"))
says = {}
for line in open(name + ".says"):
    number, size, thread, loads, stores, live = map(int, line.split())
    says[number] = (size, thread, loads, stores, bool(live))
a = p["allocations"]
of = max(range(len(a["name"])), key=lambda i: a["blocks"][i] if "malloc" in a["name"][i] and "tracked.c" in a["name"][i] else 0)
object = a["object"][of]
t = p["instances"]
rows = [i for i in range(len(t["object"])) if t["object"][i] == object]
accesses = p["accesses"]
sums = {k: sum(accesses[k][i] for i in range(len(accesses["object"])) if accesses["object"][i] == object) for k in ("loads", "stores", "load_bytes", "store_bytes")}
threads = p["threads"]["label"]

def exact(row):
    n = t["number"][row]
    size, thread, loads, stores, live = says[n]
    got = (t["bytes"][row], int(threads[t["thread"][row]]), t["loads"][row], t["stores"][row], t["is_live"][row])
    assert got == (size, thread, loads, stores, live), (n, got, says[n])
    assert t["load_bytes"][row] == loads and t["store_bytes"][row] == stores and t["atomics"][row] == 0
    assert (t["ended_ns"][row] is None) == live, (n, t["ended_ns"][row])
    assert not t["is_partial"][row]
    assert live or t["ended_ns"][row] >= t["begun_ns"][row]
    return n
P

# Those of several threads and sizes: smaller ones than OMPP_OBJECT_MIN have numbers, too, and are not told apart.
run team team 90
python3 - team <<'P' || fail 'blocks of a team'
exec(open("check.py").read())
numbers = [exact(i) for i in rows]
large = {n: s for n, s in says.items() if s[0] >= 4096}
used = lambda n: (-(says[n][2] + says[n][3]), n)
wanted = set(sorted(large, key=used)[:32]) | set(sorted(large, key=lambda n: (-says[n][0], n))[:8])
assert set(numbers) == wanted and len(numbers) == len(wanted), (sorted(numbers), sorted(wanted))
assert not any(t["l1_misses"][i] is not None for i in rows)
assert a["blocks"][of] == len(says) and a["large_blocks"][of] == a["told_blocks"][of] == len(large)
assert sums["loads"] == sum(s[2] for s in says.values()), sums
begun = sorted((t["number"][i], t["begun_ns"][i]) for i in rows)
assert all(x[1] <= y[1] for x, y in zip(begun, begun[1:]))
assert len(set(t["thread"][i] for i in rows)) == 3
P

# A bound is met: the first ones are told apart, the rest is said, and the sum is the same as without any.
OMPP_INSTANCES=10 run bound all 50
OMPP_INSTANCES=0 run none all 50
python3 - bound <<'P' || fail 'a bound'
exec(open("check.py").read())
assert sorted(exact(i) for i in rows) == list(range(1, 11))
assert a["large_blocks"][of] == 50 and a["told_blocks"][of] == 10
assert sums["loads"] == sum(s[2] for s in says.values()) and sums["stores"] == sum(s[3] for s in says.values())
none = json.load(open("none.json"))
assert none["instances"]["object"] == [] and none["allocations"]["told_blocks"][of] == 0
assert {k: v for k, v in none["accesses"].items()} == accesses
P
object=$(python3 -c 'exec(open("check.py").read()); print(p["objects"]["name"][object])' bound)
ompp report --view=data --object="$object" --instances bound.ompp >bound.txt
tr -s ' \n' ' ' <bound.txt | grep -q 'Of the 50 blocks of .* 10 were told apart, 40 came while as many as OMPP_INSTANCES allows were told apart;' ||
	{ cat bound.txt; fail 'what is said of a bound'; }
grep -q '^(40 more) .* - ' bound.txt || fail 'the rest'

# Blocks one after another use the places of those that have ended and do not stand out.  On a busy machine there may not be
# the time for it, so it is tried again.
in_turn() {
	OMPP_INSTANCES=64 run turn turn 5000 3210
	python3 - turn <<'P'
exec(open("check.py").read())
numbers = [exact(i) for i in rows]
assert len(numbers) >= 16 and a["large_blocks"][of] == 5000 and a["told_blocks"][of] >= 64, numbers
assert sums["loads"] == sum(s[2] for s in says.values())
sys.exit(0 if 3210 in numbers and a["told_blocks"][of] > 1000 else 9)
P
}
for try in 1 2 3 4 5 6; do
	rc=0 && in_turn || rc=$?
	[ $rc -eq 9 ] || break
done
[ $rc -eq 0 ] || fail 'blocks in turn'
ompp report --view=data turn.ompp | tr -s ' \n' ' ' | grep -q 'One of the 5 000 blocks of [^,]*, number 3 210, has [0-9]* % of their accesses' || fail 'a block that stands out'

# It is so with the cache model, and with pages, too.  What the object has is what it has without instances.
in_turn() {
	OMPP_CACHE=1 OMPP_INSTANCES=64 run cached turn 3000 2100
	OMPP_PAGES=auto OMPP_OVERWRITE=1 OMPP_INSTANCES=64 run paged turn 3000 2100
	for name in cached paged; do
		python3 - $name <<'P' || return $?
exec(open("check.py").read())
numbers = [exact(i) for i in rows]
assert len(numbers) >= 16 and a["large_blocks"][of] == 3000 and a["told_blocks"][of] >= 64, numbers
assert sums["loads"] == sum(s[2] for s in says.values())
sys.exit(0 if 2100 in numbers and a["told_blocks"][of] > 600 else 9)
P
	done
}
for try in 1 2 3 4 5 6; do
	rc=0 && in_turn || rc=$?
	[ $rc -eq 9 ] || break
done
[ $rc -eq 0 ] || fail "blocks in turn: $name"
OMPP_CACHE=L1=32K/8/64 run cached team 90
OMPP_PAGES=auto OMPP_OVERWRITE=1 run paged team 90
for name in cached paged; do
	python3 - $name <<'P' || fail "blocks of a team: $name"
exec(open("check.py").read())
numbers = [exact(i) for i in rows]
large = {n: s for n, s in says.items() if s[0] >= 4096}
assert len(numbers) >= 32 and a["told_blocks"][of] == len(large) and set(numbers) <= set(large)
assert sums["loads"] == sum(s[2] for s in says.values()), sums
P
done
OMPP_CACHE=L1=32K/8/64 run walked walk 40
OMPP_CACHE=L1=32K/8/64 OMPP_INSTANCES=0 run sum walk 40
python3 - walked <<'P' || fail 'a walk through blocks'
exec(open("check.py").read())
assert sorted(exact(i) for i in rows)[0] == 1 and len(rows) >= 32
other = json.load(open("sum.json"))
for q in p, other:
    t = q["patterns"]
    found = [i for i in range(len(t["object"])) if t["object"][i] == object and t["kind"][i] == "stride"]
    assert len(found) == 1 and t["step_bytes"][found[0]] == 256, t
    assert t["whole"][found[0]] == 40 * 32 and t["part"][found[0]] >= 40 * 32 * 9 // 10, t
misses = lambda q: sum(q["accesses"]["l1_misses"][i] for i in range(len(q["accesses"]["object"])) if q["accesses"]["object"][i] == object)
assert misses(p) == misses(other) == 40 * 32
t = p["instances"]
assert all(t["l1_misses"][i] == 32 and t["l2_misses"][i] is None for i in rows), [t["l1_misses"][i] for i in rows]
P
# realloc() that fails has not ended its block; another block at the same address is another one.
run kept kept
python3 - kept <<'P' || fail 'a block that was kept'
exec(open("check.py").read())
numbers = [exact(i) for i in rows]
assert sorted(numbers) == [2, 3, 4] and len(numbers) == 3, numbers
P

# A child's counts begin at its fork(), and its profile says so.
OMPP_USEPID=1 OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME=fork ./tracked child >child.says
for profile in fork*.ompp; do
	ompp report --format=json "$profile" >child.json
	! grep -q '"merged"' child.json || python3 - child <<'P' && seen=1
exec(open("check.py").read())
of_number = {t["number"][i]: i for i in rows}
sys.exit(0 if 3 in of_number and t["is_partial"][of_number[1]] and not t["is_partial"][of_number[3]] and
         (t["loads"][of_number[1]], t["stores"][of_number[1]]) == says[1][2:4] and exact(of_number[3]) == 3 else 1)
P
done
[ "${seen-}" ] || fail 'the child of a fork'

# Records have the same numbers, processes are put side by side, and older profiles have none.
ompp report --format=csv-raw --view=data team.ompp >team.csv
python3 - team <<'P' || fail 'records'
import csv
exec(open("check.py").read())
lines = open("team.csv").read().split("##BEG instances\n")[1].split("##END instances\n")[0].splitlines()
got = sorted((int(r["number"]), int(r["loads"]), int(r["stores"]), int(r["size"])) for r in csv.DictReader(lines) if r["instance of"] == p["objects"]["name"][object])
assert got == sorted((t["number"][i], t["loads"][i], t["stores"][i], t["bytes"][i]) for i in rows), got[:3]
P
ompp report --merge --format=json team.ompp team.ompp >twice.json
python3 -c '
import json
one, two = json.load(open("team.json"))["instances"], json.load(open("twice.json"))["instances"]
assert sorted(2 * one["loads"]) == sorted(two["loads"]) and len(two["object"]) == 2 * len(one["object"])' || fail 'two processes'
ompp report --view=data --instances "$srcdir/tests/fuzz/corpus_profile/data" >old.txt || fail 'an older profile'
! grep -q 'Instances' old.txt || fail 'instances of an older profile'
ompp report --format=html team.ompp >team.html
grep -q '"tag":"instances"' team.html || fail 'the page'

# Samples: an estimate of each, with its error.
has_sample_clock || finish 0
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 OMPP_TRACE=1 run sampled all 30
python3 - sampled <<'P' || fail 'samples'
exec(open("check.py").read())
far = n = 0
for i in rows:
    size, thread, loads, stores, live = says[t["number"][i]]
    assert t["loads"][i] == loads and t["stores"][i] == stores
    if t["samples"][i]:
        n += 1
        far += abs(t["sampled_accesses"][i] - loads - stores) > 3 * max(t["sampled_accesses_error"][i], 50)
assert n >= 20 and far <= 2, (n, far)
s = p["samples"]
assert sum(t["samples"][i] for i in rows) == sum(s["samples"][i] for i in range(len(s["object"])) if s["object"][i] == object)
P

# Places are used again while hooks sample, too: a block has no more samples than accesses, none of the blocks before it,
# and the object has those of all.  Number 3210 stands out by accesses, 450 of the second run by samples of stores alone.
in_turn() {
	OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 OMPP_INSTANCES=64 run again turn 5000 3210
	OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=10 OMPP_SAMPLE_KIND=stores OMPP_INSTANCES=64 run stores stores 600 450
	python3 - again <<'P' || return $?
exec(open("check.py").read())
numbers = {exact(i): i for i in rows}
assert all(t["samples"][i] <= says[n][2] + says[n][3] for n, i in numbers.items())
assert sum(abs(t["sampled_accesses"][i] - says[n][2] - says[n][3]) > 3 * max(t["sampled_accesses_error"][i], 50) for n, i in numbers.items()) <= 2
s = p["samples"]
n_all = sum(s["samples"][i] for i in range(len(s["object"])) if s["object"][i] == object)
n_accesses = sum(x[2] + x[3] for x in says.values())
assert n_accesses - 4 * 50 * (n_accesses / 50) ** .5 < 50 * n_all < n_accesses + 4 * 50 * (n_accesses / 50) ** .5, (n_all, n_accesses)
assert sum(t["samples"][i] for i in rows) < n_all
# the line of the rest has what is left of the object's samples, with its error: 50 × 49 for each
import subprocess
text = subprocess.run(["ompp", "report", "--view=data", "--instances", "--object=" + p["objects"]["name"][object], sys.argv[1] + ".ompp"], capture_output=True, text=True).stdout
left = n_all - sum(t["samples"][i] for i in rows)
more = [l for l in text.splitlines() if " more)" in l and "%" in l.split(")", 1)[1]]
words = " ".join(more).replace(" ", "_")
want = [str(left), str(50 * left), str(int((50 * 49 * left) ** .5))]
spaced = [format(int(x), ",").replace(",", "_") for x in want]
assert all("_" + x + "_" in "_" + words + "_" for x in spaced), (want, more)
sys.exit(0 if 3210 in numbers and a["told_blocks"][of] > 1000 else 9)
P
	python3 - stores <<'P'
exec(open("check.py").read())
numbers = {exact(i): i for i in rows}
assert all(t["samples"][i] <= says[n][3] for n, i in numbers.items())
if a["told_blocks"][of] < 550:
    sys.exit(9)
assert 450 in numbers and t["samples"][numbers[450]] > 10, sorted(numbers)
P
}
for try in 1 2 3 4 5 6; do
	rc=0 && in_turn || rc=$?
	[ $rc -eq 9 ] || break
done
[ $rc -eq 0 ] || fail 'blocks in turn, sampled'

# The trace has the same samples, for the same blocks.
ompp flow --instances --format=csv sampled.*.flow >flow.csv
python3 - sampled <<'P' || fail 'the trace'
import csv
exec(open("check.py").read())
lines = [l for l in open("flow.csv") if not l.startswith("##")]
of_call = [r for r in csv.DictReader(lines) if r["instance of"] == p["objects"]["name"][object]]
got = {int(r["number"]): (int(r["samples"]), int(r["size"]), int(r["thread"])) for r in of_call}
wanted = {t["number"][i]: (t["samples"][i], t["bytes"][i], int(threads[t["thread"][i]])) for i in rows if t["samples"][i]}
assert got == wanted and got, (got, wanted)
assert all(r["end"] in ("", "-") for r in of_call)
P
