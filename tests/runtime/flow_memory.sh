# flow_memory: what `ompp flow` takes of memory does not grow with the trace, whichever view is shown, and a temporary file
# that cannot be had changes nothing in what it says
. "$srcdir/tests/lib.sh"
python3 -c 'import resource' || skip "no python3"
[ -d /var/tmp ] && [ -w /var/tmp ] || skip "no /var/tmp"
unset TMPDIR

make_trace="$builddir/tests/runtime/flow_make"
"$make_trace" small.flow 150000 && "$make_trace" large.flow 900000 || fail 'no trace is made'

# memory WORD…: the most memory of ompp flow, in KiB.
memory() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(["ompp", "flow"] + sys.argv[1:], stdout=open("out", "w"), check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# grows WORD…: by so many KiB is it more for 750,000 events more.
grows() {
	few=$(memory "$@" small.flow)
	many=$(memory "$@" large.flow)
	echo "$*: $few and $many KiB"
	[ $((many - few)) -le 32768 ] || fail "$*: $few and $many KiB"
}
for view in objects pages time; do
	grows --view=$view --format=csv
done

# Events are printed in pieces, and are one table for programs; each has a line in text, too.
grows --view=events --format=csv
[ "$(grep -c '^time,' out)" = 1 ] || fail "$(grep -c '^time,' out) lines of titles"
[ "$(wc -l <out)" -gt 900000 ] || fail "$(wc -l <out) events"
cut -d, -f2 out | awk 'NR > 2 && $1 < last { exit 1 } NR > 1 { last = $1 }' || fail "events are not in order"
mv out events
ompp flow --view=events --format=csv --top=10001 large.flow >top
head -10002 events | cmp - top || fail "--top=10001 is not the first 10,001 events"
[ "$(ompp flow --view=events --top=20001 large.flow | grep -cE ' (load|store) ')" -ge 20000 ] || fail "text"

# Without a place for a temporary file everything is in memory.
ompp flow --format=csv large.flow >with
TMPDIR=/nowhere ompp flow --format=csv large.flow >without 2>&1 || fail "no folder for a file: $(cat without)"
cmp with without || fail "a file or memory: not the same"
