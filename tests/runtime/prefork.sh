# prefork: children of fork() that meet no region leave a report, a profile and traces of what they accessed, however they end; they
# leave nothing when they did nothing, or became another program; blocks that they allocated, and memory that they named, are
# something, and what they have from their parent is not
. "$srcdir/tests/lib.sh"

kinst --access $CC -g -O1 "$srcdir/tests/runtime/prefork.c" -o prog
export OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_OBJECTS=all

# of_pool FILE: the stores to `pool` in a report; 0 where it is not there.
of_pool() {
	awk '/^##BEG data objects$/ { getline; n = split($0, c, ","); on = 1; for (i = 1; i <= n; i++) if (c[i] == "stores") k = i; next }
		/^##END/ { on = 0 } on && /^pool,/ { split($0, c, ","); sum += c[k] } END { print sum + 0 }' "$1"
}

# column FILE NAME: of the line of `pool` in CSV.
column() {
	awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) k = i; next } $1 == "pool" { print $k; n++ }
		END { exit !n }' "$1" || fail "$1: no $2 of pool"
}

run() {
	rm -f prog.*
	env "$@" timeout 60 ./prog || fail "$*: status $?"
	workers=
	for csv in prog.1.*.csv; do
		[ -e "$csv" ] || fail "$*: no report of a worker"
		stores=$(of_pool "$csv")
		[ "$stores" = 0 ] || workers="$workers$stores ${csv%.csv}
"
	done
	workers=$(echo "$workers" | sed '/^$/d' | sort -n)
	[ "$(echo $(echo "$workers" | awk '{ print $1 }'))" = '1000 2000 3000 4000 5000 6000' ] || fail "$*: stores of the workers: $workers"
	check_reports . || fail "$*: a report contradicts itself"
}

run OMPP_SAMPLE=off
n=$(ls prog.*.csv | wc -l)
[ "$n" = 7 ] || fail "$n reports of the parent and 6 workers: $(ls)"
ompp report --merge --format=csv prog.*.ompp >merged 2>said || fail "merged: $(cat said)"
[ "$(of_pool merged)" = 21000 ] || fail "merged: $(of_pool merged) stores"

run OMPP_PAGES=hooks
[ "$(ls prog.*.csv | wc -l)" = 7 ] || fail "pages: not 7 reports: $(ls)"
echo "$workers" | while read -r stores profile; do
	ompp pages --format=csv "$profile.pages" >pages 2>said || fail "pages: $(cat said)"
	[ "$(column pages stores)" = "$stores" ] || fail "$profile.pages: $(column pages stores) stores, not $stores"
done || exit 1

# The period is a mean; with one of 1 each store is a sample.
run OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 OMPP_TRACE=1
echo "$workers" | while read -r stores profile; do
	ompp flow --format=csv "$profile.flow" >flow 2>said || fail "flow: $(cat said)"
	[ ! -s said ] || fail "$profile.flow: said of a whole trace: $(cat said)"
	[ "$(column flow stores)" = "$stores" ] || fail "$profile.flow: $(column flow stores) stores, not $stores"
done || exit 1

# Children that accessed their stack alone, and say what they did.
kinst --access $CC -g -O1 "$srcdir/tests/runtime/prefork_named.c" -o named
OMPP_SAMPLE=off timeout 60 ./named >did || fail "named: status $?"
[ "$(wc -l <did)" = 3 ] || fail "named: $(cat did)"
while read -r pid what n; do
	csv=named.1.$pid-0.ompp.csv
	[ -e "$csv" ] || fail "named: no report of $pid, which has $n $what: $(ls)"
	case $what in
	blocks) grep -q "^prefork_named.c:[0-9]* [^,]*,$n,$n,$((n * 100))," "$csv" || fail "$csv: not $n blocks: $(grep -A4 '^##BEG blocks' "$csv")" ;;
	bytes) grep -q '^named,0,0' "$csv" || fail "$csv: no object: $(grep -A4 '^##BEG data objects$' "$csv")" ;;
	esac
done <did
[ "$(ls named.*.csv | wc -l)" = 4 ] || fail "named: not the parent and 3 children: $(ls)"
