# instances: ompp diff --instances compares blocks by their numbers with what the program says of each, also where lines moved;
# where a block stands out on one side alone, its bound on the other is what the program's other blocks have; what cannot be
# matched is said; and what was sampled is sure no more often than the level says
. "$srcdir/tests/lib.sh"
need python3
line=$(sed -n '\|/\* the call \*/|=' "$srcdir/tests/runtime/tracked.c")
mkdir moved
{ echo; echo; echo; cat "$srcdir/tests/runtime/tracked.c"; } >moved/tracked.c
"$builddir/kinst" --access $CC -g -O1 -fopenmp "$srcdir/tests/runtime/tracked.c" -o tracked || fail 'kinst'
"$builddir/kinst" --access $CC -g -O1 -fopenmp moved/tracked.c -o moved/tracked || fail 'kinst, moved lines'

# run NAME PROGRAM MODE…: its words are in NAME.says, its profile is NAME.ompp
run() {
	name=$1
	shift
	OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME=tracked OMPP_REPORTFILE="$name" OMP_NUM_THREADS=3 "$@" >"$name.says" || fail "$name: $*"
}

cat >check.py <<'P'
import csv, json, sys

def says(name):
    return {int(l.split()[0]): tuple(map(int, l.split()[3:5])) for l in open(name + ".says")}

def listed(name):
    """The numbers of the blocks that the profile has instances of."""
    p = json.load(open(name + ".json"))
    of = max(range(len(p["allocations"]["name"])), key=lambda i: p["allocations"]["blocks"][i])
    t = p["instances"]
    return {t["number"][i] for i in range(len(t["object"])) if t["object"][i] == p["allocations"]["object"][of]}

def rows(name):
    return [r for r in json.load(open(name)) ["rows"] if r["group"] == "instances"]

def number(row):
    return int(row["name_b"].rsplit("number ", 1)[1].replace("\u2009", "").replace(" ", ""))
P

# One hot block of 193, which the second version mended, behind three more lines.  Both sides have other blocks among those
# that stand out; each count is the program's own, or at most what its blocks without an instance have.
run a ./tracked turn 193 190
run b moved/tracked turn 193 3000
for side in a b; do
	ompp report --format=json $side.ompp >$side.json || fail "report: $side"
done
ompp diff --instances --format=json a.ompp b.ompp >ab.json || fail 'ompp diff --instances'
python3 - "$line" <<'P' || fail 'counts of instances'
exec(open("check.py").read())
truth, has = {"a": says("a"), "b": says("b")}, {"a": listed("a"), "b": listed("b")}
got = rows("ab.json")
assert {number(r) for r in got} == has["a"] | has["b"], ({number(r) for r in got} ^ (has["a"] | has["b"]))
assert 190 in has["a"] and 190 not in has["b"]
for r in got:
    n = number(r)
    if r["measure"] not in ("loads", "stores"):
        continue
    k = ("loads", "stores").index(r["measure"])
    low, high = {}, {}
    for side in "ab":
        is_in = n in has[side]
        rest = sum(x[k] for m, x in truth[side].items() if m not in has[side])
        assert (r["mean_" + side], r["at_most_" + side]) == ((truth[side][n][k], None) if is_in else (None, rest)), (r, side)
        low[side], high[side] = (truth[side][n][k],) * 2 if is_in else (0, rest)
    between = low["b"] - high["a"], high["b"] - low["a"]
    change = truth["b"][n][k] - truth["a"][n][k]
    assert (r["from"], r["to"]) == between and between[0] <= change <= between[1], r
    is_known = between[0] > 0 or between[1] < 0
    assert r["sure"] == ("exact" if is_known else "same" if between == (0, 0) else "unknown"), r
    assert r["change"] == (change if between[0] == between[1] else None), r
    line = int(sys.argv[1])
    assert "tracked.c:%d " % line in r["name_a"] and "tracked.c:%d " % (line + 3) in r["name_b"], r
loads = next(r for r in got if number(r) == 190 and r["measure"] == "loads")
assert loads["sure"] == "exact" and loads["to"] < -90000, loads
P

# Text says the same, and a comparison may fail on it.
ompp diff --instances a.ompp b.ompp >ab.text
grep -q '^100 000 <= 1 [0-9]* *- (-100.00%) (-9[0-9.]*%) exact loads .*malloc.*, number 190' ab.text || { cat ab.text; fail 'text'; }
! ompp diff a.ompp b.ompp | grep -q 'number 190' || fail 'instances without --instances'
rc=0 && ompp diff --instances --fail-on=instances --fail-over=5 b.ompp a.ompp >out 2>err || rc=$?
[ $rc = 3 ] && grep -q 'number 190: loads is at least [0-9.]* % more' err || { cat err; fail "what became worse: $rc"; }
ompp diff --instances --object=n_bytes a.ompp b.ompp >out || fail 'an object'
! grep -q 'number\|malloc' out || { cat out; fail 'only an object'; }
rc=0 && ompp diff --object=n_byts a.ompp b.ompp 2>err || rc=$?
[ $rc = 2 ] && grep -q "did you mean 'n_bytes'" err || fail "an object that is none: $rc"

# CSV has the same rows, and the page the same data.
ompp diff --instances --format=csv a.ompp b.ompp >ab.csv
ompp diff --instances --format=html a.ompp b.ompp >ab.html
python3 - <<'P' || fail 'CSV or HTML'
exec(open("check.py").read())
lines = open("ab.csv").read().split("##BEG instances\n")[1].split("##END")[0].splitlines()
table = list(csv.DictReader(lines))
value = lambda text: None if text in ("", "-") else float(text)
key = lambda r: (r["measure"], r["name in B"])
got = sorted((key(r), value(r["A"]), value(r["B"]), value(r["A at most"]), value(r["B at most"]), value(r["from"]), value(r["to"]), r["sure"]) for r in table)
want = sorted(((r["measure"], r["name_b"]), r["mean_a"], r["mean_b"], r["at_most_a"], r["at_most_b"], r["from"], r["to"], r["sure"]) for r in rows("ab.json"))
assert str(got) == str([tuple(float(x) if isinstance(x, int) else x for x in w) for w in want]), [x for x in zip(got, want)][:2]
page = open("ab.html").read()
data = json.loads(page.split('id="diff"', 1)[1].split(">", 1)[1].split("</script", 1)[0])
assert data["rows"] == json.load(open("ab.json"))["rows"]
P
if python3 -c 'import jsonschema' 2>/dev/null; then
	python3 "$srcdir/tests/compare/schema_check.py" "$srcdir/env/ompp-diff-1.schema.json" ab.json ab.html || fail 'schema'
fi

# What has no order of its own in each run is not matched, and is said: several threads, another number of blocks, none told.
run team ./tracked team 60
run fewer ./tracked turn 192 190
OMPP_INSTANCES=0 run untold ./tracked turn 193 190
while read -r x y words; do
	ompp diff --instances $x.ompp $y.ompp >out || fail "$x $y"
	tr '\n' ' ' <out | grep -q "Instances of .*malloc.* cannot be matched: .*$words" || { cat out; fail "why $x and $y are not matched"; }
	! grep -q ', number ' out || { cat out; fail "$x and $y are matched"; }
	ompp diff --instances --format=json $x.ompp $y.ompp | python3 -c 'import json, sys; d = json.load(sys.stdin); sys.exit(not any("malloc" in u["name"] for u in d["unmatched"]))' ||
		fail "JSON: $x and $y"
done <<'W'
team team several threads allocate its blocks
a fewer one run allocates 193 of its blocks and another one 192
a untold none of its blocks was told apart
W

# Samples: a change that is there is sure with one run of a side, and of the same program hardly any row is.
has_sample_clock || finish 0
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=20 run s$i ./tracked turn 30 7
done
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=20 run other ./tracked turn 30 3000
ompp diff --instances --format=json s1.ompp other.ompp >s.json || fail 'samples'
python3 - <<'P' || fail 'a change by samples'
exec(open("check.py").read())
hot = next(r for r in rows("s.json") if number(r) == 7 and r["measure"] == "sampled accesses")
a, b = sum(says("s1")[7]), sum(says("other")[7])
# one of twenty intervals misses the truth; twice as wide one, one of ten thousand does
half = (hot["to"] - hot["from"]) / 2
assert hot["sure"] == "yes" and hot["certainty"] == "sampled", hot
assert half > 0 and abs(hot["change"] - (b - a)) <= 2 * half, hot
P
n_false=0
for i in 1 3 5 7 9 11; do
	ompp diff --instances --format=json s$i.ompp s$((i + 1)).ompp >s.json || fail 'samples'
	python3 - <<'P' || n_false=$((n_false + 1))
exec(open("check.py").read())
assert any(r["measure"] == "sampled accesses" for r in rows("s.json"))
sys.exit(any(r["sure"] in ("yes", "exact") for r in rows("s.json")))
P
done
# At the level of 5 % more than 2 of 6 is a chance of one in 500.
[ $n_false -le 2 ] || fail "$n_false of 6 pairs of one program have a sure instance"
