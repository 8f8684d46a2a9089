# flow_processes: the traces of several processes as one: whose each line is, threads and memory apart, names joined, times by one
# clock, losses summed; latency over time
. "$srcdir/tests/lib.sh"

make_flow() {
	"$builddir/tests/runtime/flow_make" "$@" || fail "flow_make $*"
}

# column FILE NAME: the number of a column of CSV.
column() {
	head -1 "$1" | tr , '\n' | grep -nx -- "$2" | cut -d: -f1
}

# field FILE KEY COLUMN: a value of the line whose first cell is KEY.
field() {
	awk -F, -v key="$2" -v n="$(column "$1" "$3")" '$1 == key { print $n; found = 1 } END { exit !found }' "$1" ||
		fail "$1: no line $2: $(cat "$1")"
}

# is WHAT FOUND EXPECTED
is() {
	[ "$2" = "$3" ] || fail "$1: $2, not $3"
}

flow_csv() {
	ompp flow --format=csv "$@"
}

# ---- a program that says itself what its processes do ----

kinst --access $CC -O1 -g -fopenmp -I"$srcdir/runtime" "$srcdir/tests/runtime/flow_processes.c" -o forks
mkdir run
OMPP_QUIET=1 OMP_WAIT_POLICY=passive OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 OMPP_TRACE=1 OMPP_REPORTFILE=run/forks ./forks 3 >truth
is processes "$(wc -l <truth)" 3
[ "$(ls run/*.flow | wc -l)" = 4 ] || fail "traces: $(ls run)"

flow_csv --view=processes run >processes 2>said || fail "processes: $(cat said)"
[ ! -s said ] || fail "said of whole traces: $(cat said)"
tail -n +2 processes | cut -d, -f1 | sort >pids
for pid in $(cut -d' ' -f1 truth); do
	grep -qx "$pid" pids || fail "process $pid is not there: $(cat processes)"
done

# Each change is a load and a store, of which a hundredth may be lost while another thread adds samples up.
all=0
while read -r pid n _ _; do
	flow_csv --process="$pid" run >objects
	found=$(field objects own samples)
	[ "$found" -le $((4 * n)) ] && [ "$found" -ge $((4 * n * 98 / 100)) ] || fail "$pid: $found samples of own, not $((4 * n))"
	is "$pid: whose" "$(field objects own process)" "$pid"
	all=$((all + found))
done <truth
flow_csv 'run/*.flow' >objects
is 'own of all' "$(field objects own samples)" "$all"
is 'own: whose' "$(field objects own process)" several
is 'own: lines' "$(grep -c '^own,' objects)" 1

# All times are by the clock by which the program tells when each process worked.
flow_csv --view=events --kind=loads,stores --object=own run >events
awk -F'[ ,]' 'NR == FNR { begin[$1] = $3; end[$1] = $4; next }
	FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ t = $c["time_ns"]; p = $c["process"]; n++; if (t < begin[p] || t > end[p] || t < last) { print "wrong:", $0; exit 1 } last = t }
	END { exit !n }' truth events || fail "times: $(cat truth)"

# The memory has the same addresses in all of them, and is another one in each: the page of `both` is there once for each
# process, its threads have it in common with each other, and with no others.
page=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { print substr($c["address"], 1, length($c["address"]) - 3) }' events |
	sort -u | wc -l)
is 'pages of own by address' "$page" 16
flow_csv --view=pages --object=own run >pages
is 'pages of own' "$(sed -n '/^##BEG pages/,/^##END/p' pages | grep -c '^0x')" $((3 * 16))
is 'whose pages' "$(sed -n '/^##BEG pages/,/^##END/p' pages | grep '^0x' | cut -d, -f2 | sort | uniq -c | tr -s ' \n' ' ')" \
	"$(cut -d' ' -f1 truth | sort | sed 's/^/16 /' | tr '\n' ' ' | sed 's/^/ /')"
flow_csv --view=overlap --object=both run >overlap
is 'pairs' "$(tail -n +2 overlap | cut -d, -f1-4 | sort)" "$(cut -d' ' -f1 truth | sort | sed 's/$/,0,1,1/')"
flow_csv --view=migrations --thread=1 run >threads
is 'threads by their own numbers' "$(flow_csv --view=events --thread=1 --kind=loads run | tail -n +2 | cut -d, -f3,4 | sort -u | cut -d, -f2 | tr '\n' ' ')" \
	'1 1 1 '

# Blocks of one call have numbers in each process, though the addresses are the same.
mkdir blocks
OMPP_QUIET=1 OMP_WAIT_POLICY=passive OMPP_OBJECTS=all OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 OMPP_TRACE=1 OMPP_REPORTFILE=blocks/forks \
	./forks 3 >truth_of_blocks
flow_csv --view=instances blocks | grep -v '^##' | sed 's/"[^"]*"/quoted/g' | awk -F, '
	NR == FNR { split($0, w, " "); n[w[1]] = w[2]; next }
	FNR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	($c["process"] in n) && $c["size"] == 8 * 4096 {
		seen++
		want = 2 * n[$c["process"]] * $c["number"]
		if ($c["samples"] > want || $c["samples"] < want * 0.98) { print "wrong:", want, $0; exit 1 }
	}
	END { if (seen != 6) { print "blocks:", seen; exit 1 } }' truth_of_blocks - || fail "instances: $(flow_csv --view=instances blocks)"
ompp flow --chrome=chrome.json run || fail chrome
for pid in $(cut -d' ' -f1 truth); do
	grep -q "\"ph\":\"B\",\"pid\":$pid," chrome.json || fail "chrome: nothing of $pid"
done

# Imagined nodes: a page lies where its process's thread is that touched it first, as far as that was seen.
flow_csv --numa=emulate:7 --view=events --kind=loads,stores,touches run >emulated 2>said || fail "emulated: $(cat said)"
grep -q 'nodes are emulated' said || fail "emulated: $(cat said)"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
	{ p = $c["process"]; page = p substr($c["address"], 1, length($c["address"]) - 3); t = p "/" $c["thread"]; node = $c["node"] }
	(t in of) && of[t] != node { print "another node:", $0; exit 1 }
	{ of[t] = node; nodes[node] = 1 }
	$c["page_bytes"] > 4096 { huge = 1; exit }
	$c["kind"] == "touch" { home[page] = node; if (before[t] == page) touched[page] = 1; next }
	{ before[t] = page }
	$c["home"] != "-" && !(page in home) { early[page]++; next } # what touches it comes before the fault
	$c["home"] != ((page in home) ? home[page] : "-") { print "another home:", $0; exit 1 }
	END { for (k in nodes) found++; if (!huge && found != 7) { print found " nodes"; exit 1 }
		for (page in early) if (!huge && !(page in touched)) { print page " is never touched"; exit 1 } }' emulated || fail "emulated: $(head -3 emulated)"

# They are those of the report, and both are what the program does: of the 13 accesses to a page, one by its first toucher
# and 12 by its user, of which a quarter of the users or none is the first toucher.
# A few of the first accesses may have been seen by no page fault that tells where they went: such a run is repeated.
kinst --access $CC -O1 -g -fopenmp "$srcdir/tests/vm/numa_use.c" -o numa_use
by_report_and_trace() {
	OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive OMPP_QUIET=1 OMPP_OUTFORMAT=csv OMPP_TRACE=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 \
		OMPP_OVERWRITE=1 OMPP_REPORTFILE=$1 ./numa_use "$1" >out
	ompp report --format=csv --view=numa --numa=emulate:4 "$1.ompp" | sed -n '/^##BEG numa objects/,/^##END/p' | sed 1d >objects
	far=$(field objects a 'far share')
	[ "$far" != - ] || return 0 # page faults cannot be sampled here
	flow_csv --numa=emulate:4 "$1.ompp.flow" >objects 2>said
	near "$1: far" "$(field objects a 'remote %')" "$far" 0.01 &&
		near "$1: far by what it does" "$far" "$2" 0.5
}
for planted in serial swapped; do
	expected=$(awk -v planted=$planted 'BEGIN { printf "%.6f", 100 * 12 / 13 * (planted == "serial" ? 0.75 : 1) }')
	retry 6 by_report_and_trace $planted "$expected" || fail "$planted: far"
done

# The library, for programs.
cat >counts.c <<'C'
#include <ompp_flow.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	struct ompp_flow_filter f = ompp_flow_all();
	unsigned long n[64] = { 0 };
	struct ompp_flow_event e;
	struct ompp_flow *flow;
	size_t failed, at = 0;

	if (ompp_flow_open_all(&flow, (const char *const *)argv + 1, (size_t)argc - 1, &failed)) {
		fprintf(stderr, "%s: %s\n", argv[failed + 1], ompp_flow_message());
		return 1;
	}
	for (f.object = 0; f.object < ompp_flow_n_objects(flow); f.object++)
		if (ompp_flow_object(flow, f.object)->name[0] == 'o' && ompp_flow_object(flow, f.object)->name[1] == 'w')
			break;
	f.kinds = 1 << OMPP_FLOW_ACCESS;
	while (ompp_flow_next(flow, &f, &at, &e))
		n[ompp_flow_process_of(flow, &e)]++;
	for (uint32_t p = 0; p < ompp_flow_n_processes(flow); p++)
		if (n[p])
			printf("%u %lu\n", ompp_flow_process(flow, p)->info.pid, n[p]);
	ompp_flow_close(flow);
	return 0;
}
C
libs="-L$builddir/.libs -lompp_flow -Wl,-rpath,$builddir/.libs"
# shellcheck disable=SC2086
$CC -O1 -Wall -Wextra -Werror -I"$builddir/include" counts.c $libs -o counts || fail 'the library'
./counts run/*.flow | sort >counted
while read -r pid _; do
	echo "$pid $(flow_csv --process="$pid" run | awk -F, '$1 == "own" { print $3 }')"
done <truth | sort >expected
same 'the library' expected counted
! ./counts run/*.flow "$(ls run/*.flow | head -1)" 2>err || fail 'one process twice'
grep -q 'give each process once' err || fail "one process twice: $(cat err)"

# ---- traces that are made: clocks, losses, latency over time ----

make_flow a.flow 4000 41 1000000000 1700000000000000000 3 0
make_flow b.flow 2000 42 1200000000 1700000000200000000 4 5
# Another machine: its clock began 1,000 s later, and it started 0.1 s after a.flow.
make_flow c.flow 2000 41 5000000 1700000000100000000

flow_csv --view=processes a.flow b.flow c.flow >processes 2>said
is names "$(tail -n +2 processes | cut -d, -f1 | tr '\n' ' ')" '41 42 41 #2 '
is starts "$(tail -n +2 processes | cut -d, -f4 | tr '\n' ' ')" '0.000000000 0.200000000 0.100000000 '
is moved "$(tail -n +2 processes | cut -d, -f5 | tr '\n' ' ')" '0.000000000 0.000000000 1.095000000 '
is 'left out and lost' "$(tail -n +2 processes | cut -d, -f9,10 | tr '\n' ' ')" '3,0 4,5 0,0 '
grep -q '^ompp: c.flow: it was recorded on another machine or after another boot' said || fail "clock: $(cat said)"
grep -q 'a.flow: 3 events are left out' said && grep -q 'b.flow: 5 events could not be written' said || fail "losses: $(cat said)"
grep -q '3 processes: together 7 events are left out at limits, 5 could not be written' said || fail "losses: $(cat said)"
# What each of them says alone is what all say together.
for object in shared far near 'a.c:5 p = malloc(…)'; do
	n=0
	for file in a b c; do
		flow_csv $file.flow >objects 2>said
		n=$((n + $(field objects "$object" samples)))
	done
	flow_csv a.flow b.flow c.flow >objects 2>said
	is "$object" "$(field objects "$object" samples)" "$n"
	is "$object: lines" "$(grep -cF "$object," objects)" 1
done
is 'allocated by its own process' "$(field objects 'a.c:5 p = malloc(…)' 'self %')" \
	"$(flow_csv --view=events --kind=loads,stores a.flow b.flow c.flow 2>said | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["object"] ~ /malloc/ { n++; own += $c["thread"] == $c["allocator"] } END { printf "%.6f\n", 100 * own / n }')"

# Latency over time, against the events.
flow_csv --view=events --kind=loads,stores a.flow b.flow >events 2>said
flow_csv --view=time --slices=7 a.flow b.flow >slices 2>said
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) { if (NR == FNR) c[$i] = i; else d[$i] = i } next }
	NR == FNR { t = $c["time_ns"]; if (!first) first = t; last = t; at[++n] = t; object[n] = $c["object"]; node[n] = $c["node"]; latency[n] = $c["latency"]; next }
	!told { told = 1; length_ns = last - first + 1
		for (i = 1; i <= n; i++) { key = object[i] SUBSEP node[i] SUBSEP int((at[i] - first) * 7 / length_ns); count[key]++; sum[key] += latency[i]; square[key] += latency[i] ^ 2 } }
	{ name = $1; if (name != before) { slice = 0; from = "" } before = name
	  if (from != "" && $d["from"] != from) slice++
	  from = $d["from"]
	  key = name SUBSEP $d["node"] SUBSEP slice; m = count[key] + 0; cells++; seen += m
	  if ($d["samples"] != m || $d["timed"] != m) { print "samples: " $0 ", not " m; exit 1 }
	  if (!m && ($d["latency"] != "-" || $d["latency +-"] != "-")) { print "none: " $0; exit 1 }
	  if (m && ($d["latency"] - sum[key] / m) ^ 2 > 0.0001) { print "latency: " $0 ", not " sum[key] / m; exit 1 }
	  if (m > 1) { error = sqrt((square[key] / m - (sum[key] / m) ^ 2) / (m - 1)); if (($d["latency +-"] / error - 1) ^ 2 > 0.001) { print "error: " $0 ", not " error; exit 1 } } }
	END { if (seen != n) { print seen " of " n " samples"; exit 1 } }' events slices >wrong || fail "time: $(cat wrong)"
is 'slices' "$(grep -c '^far,' slices)" 7
is 'slices of two nodes' "$(grep -c '^shared,' slices)" 14
# A phase without samples is there, and has no latency.
make_flow d.flow 500 43 9000000000 1700000008000000000
flow_csv --view=time --slices=10 --object=far a.flow d.flow >slices 2>said
is 'a phase without samples' "$(tail -n +2 slices | awk -F, '$5 == 0 && $7 == "-" && $8 == "-" { n++ } END { print n + 0 }')" 8

# JSON has the rows of CSV, and what the processes are.
if command -v python3 >/dev/null; then
	ompp flow --view=time --slices=7 --format=json a.flow b.flow >slices.json 2>said || fail "json: $(cat said)"
	ompp flow --view=time --slices=7 --format=csv a.flow b.flow >slices 2>said
	python3 - slices slices.json <<-'P' || fail 'json'
	import csv, json, sys
	kinds = {"time": lambda n: "%d.%09d" % divmod(n, 10**9), "share": lambda n: "%d.%06d" % divmod((n + 5) // 10, 10**6)}
	told = json.load(open(sys.argv[2]))
	table, = told["tables"]
	rows = list(csv.reader(open(sys.argv[1])))
	assert [c["title"] for c in table["columns"]] == rows[0], table["columns"]
	for values, row in zip(table["rows"], rows[1:], strict=True):
	    texts = ["-" if v is None else kinds.get(c["kind"], str)(v) for c, v in zip(table["columns"], values)]
	    assert texts == row, (texts, row)
	assert [(p["process"], p["lost"], p["left_out"]) for p in told["processes"]] == [("41", 0, 3), ("42", 5, 4)], told["processes"]
	P
fi

ompp flow --view=paths --format=csv a.flow b.flow >paths 2>said
is paths "$(tail -n +2 paths | cut -d, -f1,2)" 'PARALLEL a.c:10,5998'

# The text.
{
	ompp flow --view=processes a.flow b.flow c.flow
	ompp flow --view=time --slices=3 --top=2 a.flow b.flow c.flow
	ompp flow --view=time --slices=2 --object=far --process='41 #2' a.flow b.flow c.flow
	ompp flow --view=paths --numa=emulate:2 a.flow b.flow
	ompp flow --view=migrations a.flow b.flow
} >text 2>said || fail "text: $(cat said)"
same text "$srcdir/tests/golden/flow_processes.txt" text

# ---- what makes no sense ----

# says STATUS TEXT ARGUMENTS…
says() {
	wanted=$1 text=$2 status=0
	shift 2
	ompp flow "$@" >out 2>err || status=$?
	[ "$status" = "$wanted" ] || fail "$*: status $status: $(cat err)"
	grep -qF -- "$text" err || fail "$*: $(cat err)"
}
mkdir none
says 1 'a folder without files whose names end in .flow' none
says 1 'x*.flow: cannot be read' 'x*.flow'
says 1 'give each process once' a.flow b.flow a.flow
says 1 "no process '77'; --view=processes lists them" --process=77 a.flow b.flow
says 2 'give one file' --compress=z.flow a.flow b.flow
says 2 'not auto or emulate:N' --numa=emulate:1 a.flow
says 2 'a number of slices' --slices=0 --view=time a.flow
says 1 'not a trace' a.flow "$srcdir/README"
status=0
ompp pages a.flow b.flow 2>err || status=$?
is 'ompp pages takes one' "$status $(grep -c 'give one file' err)" '2 1'
