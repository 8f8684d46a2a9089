# json: the profile as JSON keeps its schema, as another program reads it; it has the numbers of CSV, whatever names and sizes
. "$srcdir/tests/lib.sh"
need python3
python3 -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not installed'

for kind in plain data model samples counters hostile; do
	"$builddir/tests/golden/example_main" profile $kind >$kind.ompp
	ompp report --format=json $kind.ompp >$kind.json || fail "$kind"
	ompp report --format=csv-raw --view=flat $kind.ompp >$kind.csv
	python3 "$srcdir/tests/golden/json_check.py" "$builddir/env/ompp-profile-1.schema.json" $kind.json $kind.csv || fail "$kind"
done
for rank in 0 1; do
	"$builddir/tests/golden/example_main" profile samples $rank >r$rank.ompp
done
ompp report --format=json r0.ompp r1.ompp >ranks.json
ompp report --format=csv-raw --view=flat r0.ompp r1.ompp >ranks.csv
python3 "$srcdir/tests/golden/json_check.py" "$builddir/env/ompp-profile-1.schema.json" ranks.json ranks.csv || fail 'ranks'

# Profiles that older versions wrote are read as well, with null for what these did not know.
for kind in example data counters samples model; do
	ompp report --format=json "$srcdir/tests/fuzz/corpus_profile/$kind" >old.json || fail "an older profile: $kind"
	ompp report --format=csv-raw --view=flat "$srcdir/tests/fuzz/corpus_profile/$kind" >old.csv
	python3 "$srcdir/tests/golden/json_check.py" "$builddir/env/ompp-profile-1.schema.json" old.json old.csv || fail "an older profile: $kind"
done

# Numbers keep all their digits: as numbers up to 2^53 - 1, and as texts beyond.
python3 - <<'P' || fail 'numbers or names'
import json
p = json.load(open("hostile.json"))
a = p["accesses"]
assert a["loads"][0] == 2**53 - 1 and a["stores"][0] == str(2**53) and a["load_bytes"][0] == str(2**63 - 1)
name = "</script><img src=x onerror=alert(1)>'\"\\\n\r\t\x1b[31m=cmd|' /C calc'!A1;\u202egpj\u2028,{}[]\ufffd\U0001f600;root;x 1"
assert p["regions"]["name"][0] == p["objects"]["name"][2] == p["run"]["app"] == p["counters"][0]["name"] == name
assert p["regions"]["locks"][0] is None and p["run"]["mpi_rank"] is None
P

# What was not measured is null, never 0: a construct without a body has no body_ns, and one with a body has.
python3 - <<'P' || fail 'null'
import json
p = json.load(open("data.json"))
construct = [p["paths"]["construct"][i] for i in p["cells"]["path"]]
of = dict((c, p["cells"]["body_ns"][i]) for i, c in enumerate(construct))
assert of["BARRIER"] is None and of["LOOP"] is not None, of
P


# what has the whole profile takes no choice of a part
for option in --view=flat --region=R1 --top=3 --object=a --sort=time --columns=all; do
	! ompp report --format=json $option plain.ompp >out 2>err || fail "$option"
	grep -q "^ompp: ${option%%=*}: the format json has the whole profile; leave the option out" err || { cat err; fail "$option"; }
done
