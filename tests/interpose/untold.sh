# untold: in a program that kinst did not build, what no library tells of the bodies of SINGLE and SECTIONS is missing, in
# each view and format, and is in no sum; what is told of them is there
. "$srcdir/tests/lib.sh"

# column FILE TYPE NAME: the values of a column of the flat profiles of a type, from the rows of all regions
column() {
	awk -F, -v type="$2" -v name="$3" '
		/^##BEG ompp callgraph region|^##BEG callgraph/ { exit }
		/^R[0-9]+,/ { is = $2 == type; next }
		is && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		is && ($1 == "SUM" || $1 ~ /^[0-9]+$/) { print $1, $at }
		/^##END/ { is = 0 }' "$1"
}

# told COMPILER: builds it plainly, and measures it
told() {
	$1 -w -g -O1 -fopenmp "$srcdir/tests/interpose/untold.c" -o untold || fail "$1"
	rm -rf told
	ompp run --quiet --outdir=told --reportfile= ./untold >out 2>said || fail "$1: $? $(cat said)"
	[ "$(head -n 1 out)" = 11121 ] || fail "$1: $(head -n 1 out)"
	ompp report --format=csv told/*.ompp >report || fail "$1: no profile"
	ompp report --format=json told/*.ompp >json || fail "$1: no JSON"
	ompp report --view=all told/*.ompp >text || fail "$1: no text"
	! grep -q -- '-9223372036' text json report || fail "$1: a missing time is shown: $(grep -h -- -9223372036 text report)"
}

told "$CC"
column report SINGLE singleC >found
[ "$(awk '$1 == "SUM" { n += $2 } END { print n }' found)" = 2 ] || fail "GCC: bodies of singles: $(cat found)"
column report SINGLE singleT >found
[ "$(grep -c '^SUM -$' found)" = 1 ] && grep -q '^SUM 0[.]' found ||
	fail "GCC: the time of a body whose end is not told, and of one whose end is: $(cat found)"
! column report SINGLE exitBarT | grep -v -- ' -$' || fail "GCC: the wait at the end of a single"
! column report SECTIONS sectT | grep -- ' -$' || fail "GCC: sections"
[ "$(column report SECTIONS sectC | tail -n 1)" = 'SUM 3' ] || fail "GCC: sections"

if [ -n "$CLANG" ] && $CLANG -fopenmp "$srcdir/tests/interpose/untold.c" -o untold 2>/dev/null && ./untold >/dev/null; then
	told "$CLANG"
	[ "$(column report SINGLE singleC | awk '$1 == "SUM" { n += $2 } END { print n }')" = 2 ] || fail 'Clang: singles'
	! column report SINGLE singleT | grep -- ' -$' || fail 'Clang: singles'
	for name in sectT sectC mgmtT; do
		column report SECTIONS $name >found
		[ "$(grep -c -- ' -$' found)" = 3 ] || fail "Clang: $name: $(cat found)"
	done
	! grep -q 'ImbalanceDueToNotEnoughSections' text || fail 'Clang: a finding from the number of sections'
	python3 - <<'P' || fail 'Clang: a number of sections in JSON'
import json
p = json.load(open("json"))
cells, region, construct = p["cells"], p["paths"]["region"], p["regions"]["construct"]
rows = [i for i, path in enumerate(cells["path"]) if region[path] is not None and construct[region[path]] == "SECTIONS"]
assert rows and all(cells["bodies"][i] is cells["body_ns"][i] is cells["mgmt_ns"][i] is None for i in rows)
P
fi
