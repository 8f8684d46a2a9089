# brief: a report in at most 4 KB, as JSON by its schema and as Markdown, of any profile: many findings, long names, names in
# characters of several bytes, names of strangers; and findings keep their ids when lines move
. "$srcdir/tests/lib.sh"
need python3
python3 -c 'import jsonschema' 2>/dev/null || skip 'python3-jsonschema is not installed'
make=$builddir/tests/compare/runs_make

# check NAME [OPTION…]: of NAME.ompp; prints how many findings there are, were left out, and how many texts were cut
check() {
	name=$1
	shift
	ompp report --format=brief "$@" "$name.ompp" >"$name.brief.json" || fail "$name: brief"
	ompp report --format=brief-md "$@" "$name.ompp" >"$name.md" || fail "$name: brief-md"
	ompp report --format=json "$@" "$name.ompp" >"$name.json" || fail "$name: json"
	python3 "$srcdir/tests/golden/brief_check.py" "$srcdir/env/ompp-brief-1.schema.json" "$name.brief.json" "$name.md" "$name.json" ||
		fail "$name $*"
}

for kind in plain hostile samples counters visits model; do
	"$builddir/tests/golden/example_main" profile $kind >$kind.ompp
	check $kind
	check $kind --property-min=0 >numbers
	cat numbers
	[ $kind != plain ] || grep -q ' sampled' numbers || fail "no cost is sampled: $(cat numbers)"
	[ $kind != plain ] || grep -q ' measured' numbers || fail "no cost is measured: $(cat numbers)"
done

# ids of findings that nothing but lines of allocations, and nothing but folders of regions, tell apart
"$builddir/tests/golden/example_main" profile twins >twins.ompp
check twins --property-min=0 >numbers
read -r shown left cut repeats rest <numbers
[ "$repeats" -ge 2 ] || fail "no twins: $(cat numbers)"
grep -q '"object":"a.c:12 p"' twins.brief.json && grep -q '"object":"a.c:30 p"' twins.brief.json || fail 'no twin objects'

# the longest texts of the run, of characters that need escapes, and a file's name of such
"$builddir/tests/golden/example_main" profile wide >wide.ompp
check wide --property-min=0 >numbers
read -r shown rest <numbers
[ "$shown" -ge 3 ] || fail "beside long texts: $(cat numbers)"
for letter in '"' '\' "'" '$' '<' '%'; do
	name=$(python3 -c 'import sys; print(190 * sys.argv[1])' "$letter").ompp
	cp wide.ompp "$name"
	ompp report --format=brief --property-min=0 -- "$name" >wide.brief.json || fail "a file's name of $letter"
	ompp report --format=brief-md --property-min=0 -- "$name" >wide.md || fail "a file's name of $letter, Markdown"
	python3 "$srcdir/tests/golden/brief_check.py" "$srcdir/env/ompp-brief-1.schema.json" wide.brief.json wide.md wide.json >numbers ||
		fail "a file's name of $letter"
	read -r shown rest <numbers
	[ "$shown" -ge 3 ] || fail "beside a file's name of $letter: $(cat numbers)"
	rm "$name"
done
"$make" . bad 1 2 even limited threads=4 && "$make" . noisy 1 3 planted moved noisy
check bad1 --property-min=0
check noisy1 --property-min=0

# the commands that it tells do work
ompp report --format=brief bad1.ompp | python3 -c 'import json, sys; print(*json.load(sys.stdin)["next"], sep="\n")' >commands
[ "$(wc -l <commands)" = 2 ] || fail "commands: $(cat commands)"
while read -r command; do
	sh -c "$command" >out || fail "$command"
	grep -q . out || fail "$command: nothing"
done <commands
cp bad1.ompp 'a b$(x).ompp'
ompp report --format=brief 'a b$(x).ompp' | python3 -c 'import json, sys; print(json.load(sys.stdin)["next"][1])' >commands
sh "$PWD/commands" >out || fail "a strange name: $(cat commands)"
status=0
ompp report --format=brief --region=a.c bad1.ompp 2>said || status=$?
[ $status = 2 ] && grep -q 'has the whole profile' said || fail 'a part of a profile'

# 80 loops in a file of a long name, of which each has a thread that sleeps: findings are left out, names are cut between characters
long=$(python3 -c 'print(60 * "\u221a")')
program() {
	printf '#include <unistd.h>\n#include <omp.h>\n'
	[ $# = 0 ] || printf '/* more */\n%.0s' 1 2 3 4 5 6 7
	printf 'int main(int argc, char **argv)\n{\n\t(void)argv;\n#pragma omp parallel num_threads(2)\n\t{\n'
	for i in $(seq 80); do
		[ $((i % 3)) != 1 ] || printf '\t\tif (argc < 2)\n'
		printf '#pragma omp for schedule(static, 1)\n\t\tfor (int i = 0; i < 2; i++)\n\t\t\tusleep(i ? 4000 : 100);\n'
	done
	printf '\t}\n\treturn 0;\n}\n'
}
program >"$long.c"
kinst "${CC:-gcc}" -fopenmp "$long.c" -o many || fail 'the program is not built'
OMPP_OVERWRITE=1 OMPP_QUIET=1 ./many || fail 'the program'
mv many.*.ompp one.ompp
check one --property-min=0 >numbers
read -r shown left cut repeats rest <numbers
[ "$shown" -ge 3 ] && [ "$left" -ge 20 ] && [ "$cut" -ge 3 ] || fail "of many findings: $(cat numbers)"

# the same loops 7 lines further down, built and run again: the same ids at the same places
program moved >"$long.c"
kinst "${CC:-gcc}" -g -O1 -fopenmp "$long.c" -o many || fail 'the program is not built again'
OMPP_OVERWRITE=1 OMPP_QUIET=1 ./many || fail 'the program'
mv many.*.ompp two.ompp
check two --property-min=0 >numbers
# and run with an argument, by which each third loop is not executed
OMPP_OVERWRITE=1 OMPP_QUIET=1 ./many less || fail 'the program with an argument'
mv many.*.ompp three.ompp
check three --property-min=0 >numbers
python3 - <<'P' || fail 'ids of moved lines'
import json, re
places = []
for name, down in (("one", 0), ("two", 7)):
    ids = {}
    for f in json.load(open(name + ".brief.json", encoding="utf-8"))["findings"]:
        ids[f["id"]] = f["name"]
    places.append(ids)
# which loops cost most is chance; a finding that both have has one name, and no other has its id
both = set(places[0]) & set(places[1])
assert all(places[0][i] == places[1][i] for i in both), places
P
# of the whole lists, by the oracle: each loop has the same id in all of them
python3 - "$srcdir/tests/golden/brief_check.py" <<'P' || fail 'ids of moved loops'
import ast, json, re, sys
source = open(sys.argv[1]).read()
names = {"re": re, "MASK": (1 << 64) - 1}
tree = ast.parse(source)
tree.body = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
exec(compile(tree, "check", "exec"), names)
ids = []
for name, down in (("one", 0), ("two", 7), ("three", 7)):
    whole = json.load(open(name + ".json", encoding="utf-8"))
    ids.append({(f["name"], whole["regions"]["begin_line"][f["region"]] - down): names["identity"](f, None, whole["regions"], 0)
                for f in whole["findings"]["list"] if f["region"] is not None})
for other in ids[1:]:
    both = set(ids[0]) & set(other)
    assert len(both) >= 20 and all(ids[0][k] == other[k] for k in both), (len(both), [k for k in both if ids[0][k] != other[k]])
    assert len({ids[0][k] for k in both}) == len(both)
P
