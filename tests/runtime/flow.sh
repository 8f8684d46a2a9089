# flow: what `ompp flow` says of a trace, by its views and filters, compressed and as a database, against what its events add up to
. "$srcdir/tests/lib.sh"

"$builddir/tests/runtime/flow_make" a.flow 20000 || fail 'no trace is made'
ompp flow --view=events --format=csv a.flow >events 2>said || fail "events: $(cat said)"
[ ! -s said ] || fail "said of a whole trace: $(cat said)"
[ "$(grep -c -e ',load,' -e ',store,' events)" = 19999 ] || fail "$(wc -l <events) events"

# A sample takes a few bytes.
[ "$(wc -c <a.flow)" -lt $((30 * 20000)) ] || fail "$(wc -c <a.flow) bytes"

# column FILE NAME: the number of a column of CSV.
column() {
	head -1 "$1" | tr , '\n' | grep -nx -- "$2" | cut -d: -f1
}

# field FILE KEY COLUMN: a value of the line whose first cell is KEY.
field() {
	awk -F, -v key="$2" -v n="$(column "$1" "$3")" '$1 == key { print $n; found = 1 } END { exit !found }' "$1" ||
		fail "$1: no line $2"
}

# adds OBJECT CONDITION: how many accesses to the object there are in the events for which the condition of awk is true.
adds() {
	awk -F, -v object="$1" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		($c["kind"] == "load" || $c["kind"] == "store") && $c["object"] == object && ('"$2"') { n++ } END { print n + 0 }' events
}

# share PART WHOLE: in per cent.
share() {
	awk -v part="$1" -v whole="$2" 'BEGIN { printf "%.6f\n", 100 * part / whole }'
}

# is WHAT FOUND EXPECTED
is() {
	[ "$2" = "$3" ] || fail "$1: $2, not $3"
}

ompp flow --format=csv a.flow >objects
for object in shared far near 'a.c:5 p = malloc(…)'; do
	is "$object: samples" "$(field objects "$object" samples)" "$(adds "$object" 1)"
	is "$object: loads" "$(field objects "$object" loads)" "$(adds "$object" '$c["kind"] == "load"')"
	is "$object: stores" "$(field objects "$object" stores)" "$(adds "$object" '$c["kind"] == "store"')"
	n=$(adds "$object" 1)
	is "$object: accesses" "$(field objects "$object" accesses)" "$((n * 10007))"
	far=$(adds "$object" '$c["node"] != $c["home"]')
	near "$object: remote" "$(field objects "$object" 'remote %')" "$(share "$far" "$n")" 0.01
done
is 'far: from' "$(field objects far from)" 1
is 'far: to' "$(field objects far to)" 0
is 'far: better placed' "$(field objects far 'placed %')" 100.000000
is 'near: remote' "$(field objects near 'remote %')" 0.000000
is 'shared: allocated by nobody known' "$(field objects shared 'self %')" -
own=$(adds 'a.c:5 p = malloc(…)' '$c["thread"] == $c["allocator"]')
near 'block: by itself' "$(field objects 'a.c:5 p = malloc(…)' 'self %')" \
	"$(share "$own" "$(adds 'a.c:5 p = malloc(…)' 1)")" 0.01
first=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["object"] ~ /malloc/ && $c["kind"] ~ /load|store/ {
	if ($c["thread"] != $c["allocator"]) exit; n++ } END { print n }' events)
near 'block: by itself first' "$(field objects 'a.c:5 p = malloc(…)' 'first %')" \
	"$(share "$first" "$(adds 'a.c:5 p = malloc(…)' 1)")" 0.01
is 'block: path' "$(field objects 'a.c:5 p = malloc(…)' 'call path')" 'a.c:5 main'

# Text has no digit that the error makes meaningless, and no share of too few samples.
ompp flow a.flow >text
grep -q '^far ' text || fail "text: $(cat text)"

# Where thread 3 went: its accesses from node 0 are remote to nothing, and those before it would be local had it been there.
ompp flow --view=migrations --format=csv a.flow >moves
is 'moves of thread 3' "$(field moves 3 moves) $(field moves 3 'between nodes')" '1 1'
is 'moves of thread 0' "$(field moves 0 moves)" 0
is 'node of thread 3' "$(field moves 3 'most on node')" 1
ompp flow --view=events --kind=migrations --format=csv a.flow >moved
is migrations "$(tail -n +2 moved | cut -d, -f3,5,6,7,23,24)" '3,3,0,migration,11,1'

ompp flow --view=private --format=csv a.flow >private
is 'private objects' "$(tail -n +2 private | cut -d, -f1-3 | sort | tr '\n' ' ')" '1,1,far 2,0,near '
ompp flow --view=private --thread=2 --format=csv a.flow >private
is 'private objects of thread 2' "$(tail -n +2 private | cut -d, -f1-3)" '2,0,near'

ompp flow --view=functions --format=csv a.flow >functions
is 'function use_far' "$(field functions use_far samples)" "$(adds far 1)"

# All pairs of threads share pages of `shared`; pages are those of the events.
ompp flow --view=overlap --format=csv a.flow >overlap
is pairs "$(tail -n +2 overlap | cut -d, -f1,2 | sort | tr '\n' ' ')" '0,1 0,2 0,3 1,2 1,3 2,3 '
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	$c["kind"] ~ /load|store/ { page = substr($c["address"], 1, length($c["address"]) - 3); t = $c["thread"]; has[page, t] = 1; pages[page] = 1 }
	END { for (p in pages) n += ((p, 2) in has) && ((p, 3) in has); print n }' events >both
is 'pages of threads 2 and 3' "$(awk -F, '$1 == 2 && $2 == 3 { print $3 }' overlap)" "$(cat both)"

ompp flow --view=pages --format=csv a.flow >pages
is pages "$(sed -n '/^##BEG pages/,/^##END/p' pages | grep -c '^0x')" \
	"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["kind"] ~ /load|store/ { print substr($c["address"], 1, length($c["address"]) - 3) }' events | sort -u | wc -l)"

ompp flow --view=latency --format=csv a.flow >latency
is latencies "$(awk -F, 'NR > 1 { n += $4 } END { print n }' latency)" 19999
awk -F, 'NR > 1 { share += $5 } END { exit share < 99.999 || share > 100.001 }' latency || fail "latency: $(cat latency)"

ompp flow --view=object --object=far --format=csv a.flow >object
is 'timeline of far' "$(sed -n '/^##BEG timeline/,/^##END/p' object | awk -F, '$2 == 1 { n += $3 + $4 } END { print n }')" "$(adds far 1)"

# Filters, each against a condition on the events.
# chooses OPTION CONDITION
chooses() {
	ompp flow --view=events --kind=loads,stores --format=csv "$1" a.flow >chosen || fail "$1"
	found=$(($(wc -l <chosen) - 1))
	wanted=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["kind"] ~ /load|store/ && ('"$2"') { n++ } END { print n + 0 }' events)
	[ "$wanted" -gt 0 ] && [ "$wanted" -lt 19999 ] || fail "$1: says nothing: $wanted"
	is "$1" "$found" "$wanted"
}
chooses --thread=3 '$c["thread"] == 3'
chooses --object=far '$c["object"] == "far"'
chooses --node=1 '$c["node"] == 1'
chooses --level=remote '$c["level"] == "remote memory"'
chooses --latency=100:200 '$c["latency"] >= 100 && $c["latency"] <= 200'
chooses --time=0.1:0.25 '$c["time"] >= 0.1 && $c["time"] < 0.25'
chooses --function=use_far '$c["function"] == "use_far"'
chooses --allocator=0 '$c["object"] ~ /malloc/'
chooses --address=0x40000000:0x7fffffff '$c["object"] == "shared"'
ompp flow --view=events --kind=stores --format=csv a.flow >chosen
is 'kind=stores' "$(($(wc -l <chosen) - 1))" "$(grep -c ,store, events)"
ompp flow --view=events --kind=loads,stores --region=a.c:10 --format=csv a.flow >chosen
is 'region' "$(($(wc -l <chosen) - 1))" 19999
ompp flow --view=events --kind=loads --mode=kernel --format=csv a.flow >chosen
is 'mode=kernel' "$(($(wc -l <chosen) - 1))" 0

# What is not there, or makes no sense, is named.
# says STATUS TEXT OPTION
says() {
	status=0
	ompp flow "$3" a.flow >out 2>err || status=$?
	[ "$status" = "$1" ] || fail "$3: status $status"
	grep -qF -- "$2" err || fail "$3: $(cat err)"
}
says 1 "no object 'fax'; did you mean 'far'?" --object=fax
says 1 "no region 'x.c'" --region=x.c
says 2 "did you mean 'objects'?" --view=object5
says 2 'did you mean --latency' --latencies=3
says 2 'write LEAST:MOST' --latency=5
says 2 'write FROM:TO in seconds' --time=7
says 2 "unknown word 'L9'" --level=L9
says 2 'write user or kernel' --mode=root
says 2 'choose one with --object=NAME' --view=object

# A compressed trace says the same.
if ompp flow --compress=b.flow a.flow 2>err; then
	[ "$(wc -c <b.flow)" -lt "$(wc -c <a.flow)" ] || fail 'compressed: it is not smaller'
	ompp flow --view=events --format=csv b.flow >same || fail 'compressed'
	same 'compressed' events same
	! ompp flow --compress=b.flow a.flow 2>err || fail 'an existing file is overwritten'
	cp b.flow c.flow
	printf X | dd of=c.flow bs=1 seek=$(($(wc -c <c.flow) / 2)) conv=notrunc 2>dd.log
	ompp flow --view=events c.flow >out 2>err || fail 'compressed and damaged'
	grep -q 'damaged or cut off' err || fail "compressed and damaged: $(cat err)"
	# Cut at many places, it is read up to there.
	for n in 0 1 63 64 65 100 1000 10000; do
		head -c "$n" b.flow >c.flow
		ompp flow c.flow >out 2>err || grep -q 'not a trace' err || fail "cut at $n: $(cat err)"
	done
else
	grep -q 'built without zstd' err || fail "compress: $(cat err)"
fi

if ompp flow --sql=a.db a.flow 2>err; then
	if command -v sqlite3 >/dev/null; then
		is 'database: accesses' "$(sqlite3 a.db "SELECT count(*) FROM event WHERE kind IN ('load', 'store')")" 19999
		is 'database: far' "$(sqlite3 a.db "SELECT count(*) FROM event_object x JOIN object o ON o.id = x.object WHERE o.name = 'far'")" "$(adds far 1)"
		is 'database: functions' "$(sqlite3 a.db "SELECT count(*) FROM event e JOIN line l ON l.ip = e.ip WHERE l.function = 'use_far'")" "$(adds far 1)"
		is 'database: unknown' "$(sqlite3 a.db 'SELECT count(*) FROM event WHERE physical IS NOT NULL')" 0
		# ompp-flow(1) documents each table.
		for table in $(sqlite3 a.db .tables); do
			grep -q "^$table (" "$builddir/env/man/ompp-flow.1" || fail "ompp-flow(1) does not have the table $table"
			columns=$(sqlite3 a.db "SELECT group_concat(name, ', ') FROM pragma_table_info('$table')")
			tr '\n' ' ' <"$builddir/env/man/ompp-flow.1" | grep -qF "$table ($columns)" || fail "ompp-flow(1) has not: $table ($columns)"
		done
	fi
	! ompp flow --sql=a.db a.flow 2>err || fail 'an existing database is overwritten'
else
	grep -q 'built without SQLite' err || fail "sql: $(cat err)"
fi

# The example of ompp_flow.h, and its header for all compilers.
libs="-L$builddir/.libs -lompp_flow -Wl,-rpath,$builddir/.libs"
# shellcheck disable=SC2086
$CC -O1 -Wall -Wextra -Werror -I"$builddir/include" "$srcdir/examples/flow_private.c" $libs -o flow_private || fail 'flow_private.c'
./flow_private a.flow >private || fail 'flow_private'
n=$(adds far 1)
is 'flow_private' "$(cat private)" "far: thread 1 alone, $n of $n samples from another node"
! ./flow_private missing 2>err || fail 'flow_private of no file'
grep -q 'No such file' err || fail "flow_private: $(cat err)"
for compiler in "$CC" ${GXX:+"$GXX -x c++"}; do
	printf '%s\n' '#include <ompp_flow.h>' 'int main(void) { return ompp_flow_all().to_ns != UINT64_MAX; }' >header.c
	# shellcheck disable=SC2086
	$compiler -Wall -Wextra -Wpedantic -Werror -I"$builddir/include" header.c -x none $libs -o header || fail "$compiler: the header"
	./header || fail "$compiler: the header's functions"
done
