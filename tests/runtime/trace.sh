# trace: OMPP_TRACE=1 writes each sample to a file beside the report, whatever happens to the program
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_QUIET=1 OMPP_TRACE=1
src=$srcdir/tests/runtime

cat >small.c <<'C'
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	return argc < 2 || execv(argv[1], argv + 1);
}
C
"$CC" -o small small.c
kinst "$CC" -O1 -g -fopenmp -o trace "$src/trace.c"

# whole FILE: all lines of a file of samples have the columns that its first one names.
whole() {
	awk -F, 'NR == 1 { n = NF; if ($1 != "time_ns") exit 1 } { gsub(/"[^"]*("")*[^"]*("")*[^"]*"/, "quoted") } NF != n { print; exit 1 }' "$1" ||
		fail "$1: not whole lines"
	[ "$(tail -c 1 "$1" | od -An -c | tr -d ' ')" = '\n' ] || fail "$1: ends within a line"
}

# n PATTERN FILE: how many lines match.
n() {
	grep -c "$1" "$2" || :
}

touches() {
	OMPP_SAMPLE=touch ./small ./trace "$@"
}

touches 2>messages
! grep -rq 'source touch is off' trace.*.txt || skip 'page faults cannot be sampled here'
file=$(echo trace.*.ompp.samples)
whole "$file"
[ "$(n ',touch,.*,a,PARALLEL LOOP trace.c:28,' "$file")" = 1000 ] || fail "touches of a: $(n ',a,' "$file")"
[ "$(n ',touch,.*,"odd, ""b""\\n",PARALLEL LOOP trace.c:28,' "$file")" = 1000 ] || fail "touches of b: $(tail -1 "$file")"
[ "$(grep ',a,' "$file" | cut -d, -f2 | sort | uniq -c | awk '{ printf "%d ", $1 }')" = '500 500 ' ] || fail 'touches by thread'
rm -f trace.*

# The samples of hooks are those that the report counts.
OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=50 ./small ./trace
if [ -e "$(echo trace.*.ompp.samples)" ]; then
	ompp report --format=csv --view=memory trace.*.ompp >memory.csv
	for kind in load store; do
		found=$(n ",$kind,.*,a,PARALLEL" trace.*.samples)
		told=$(awk -F, -v kind="${kind}s" '/^##BEG/ { i++ } i == 2 && $1 == "a" && $2 == kind { print $3; exit }' memory.csv)
		[ "$found" = "${told:-0}" ] || fail "hook: $found samples of ${kind}s, and the report has $told"
	done
	whole trace.*.samples
fi
rm -f trace.*

# A process that is killed leaves what it has written.
touches kill && fail 'not killed'
whole trace.*.ompp.samples
[ "$(n ',a,' trace.*.samples)" -ge 900 ] || fail "killed: $(n ',a,' trace.*.samples) samples are left"
rm -f trace.*

# The program closes all descriptors; forks.
touches close || fail "close: ends with $?"
[ "$(n ',"odd' trace.*.samples)" = 0 ] || whole trace.*.samples
[ "$(n ',a,' trace.*.samples)" = 1000 ] || fail 'close: samples are missing'
rm -f trace.*
touches fork || fail "fork: ends with $?"
ls trace.*.samples >files
[ "$(wc -l <files)" = 2 ] || fail "fork: $(cat files)"
[ "$(cat trace.*.samples | n ',"odd' -)" = 1100 ] || fail 'fork: samples are missing'
for file in trace.*.samples; do whole "$file"; done
rm -f trace.*

# The limit, and what is left out.
OMPP_TRACE_LIMIT=20K touches
whole trace.*.samples
[ "$(wc -c <"$(echo trace.*.samples)")" -le 20480 ] || fail 'beyond the limit'
left=$(grep -oh '[0-9][0-9 ]* samples are not in the file' trace.*.txt | sed 's/[^0-9]//g; q')
[ -n "$left" ] || fail "nothing is told to be left out: $(grep 'not in the file' trace.*.txt)"
[ $((left + $(wc -l <"$(echo trace.*.samples)") - 1)) -ge 2000 ] || fail "$left are left out"
rm -f trace.*

# No room: the file ends with a whole line, and the program ends as it would.
(ulimit -f 40 && touches) || fail "ulimit: ends with $?"
whole trace.*.samples
rm -f trace.*

# Names never lead through links.
mkdir links
echo mine >victim
ln -s ../victim links/report.txt.ompp.samples
OMPP_REPORTFILE=links/report.txt touches
[ "$(cat victim)" = mine ] || fail 'written through a link'
whole links/report.txt.ompp.samples

# Without a source there is nothing to write.
OMPP_QUIET=0 ./trace 2>messages
grep -q 'OMPP_TRACE: nothing is sampled; choose a source with OMPP_SAMPLE' messages || fail "no source: $(cat messages)"
[ ! -e "$(echo trace.*.samples)" ] || fail 'a file without samples'
