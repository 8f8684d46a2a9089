# see: what else works on a program with threads that kinst did not build, none of which meets OpenMP: hot spots in each
# thread's function, written pages and first touches by object and thread, counters, blocks with peak and life, labels
. "$srcdir/tests/lib.sh"

$CC -O1 -g -w "$srcdir/tests/interpose/see.c" -o see -pthread
# run FOLDER WHAT OPTIONS…: with the program's own output and status; what it says of itself is FOLDER.own
run() {
	folder=$1 what=$2
	shift 2
	rm -rf "$folder"
	rc=0
	ompp run --quiet --outdir="$folder" --reportfile= "$@" ./see "$what" >out 2>"$folder.own" || rc=$?
	[ $rc = 7 ] || fail "$what $*: status $rc: $(cat "$folder.own")"
	head -n 1 out >first
	echo "$what" >want
	same "$what $*: output" want first
}

# Functions of the threads: in the region that is the thread, within four standard errors of what it measured.
hot() {
	run hot hot --hot=1000
	! grep -q 'source hot' hot/*.txt || skip "the kernel's clock cannot be had here"
	ompp report --view=hot --format=csv hot/*.ompp >hot.csv
	{ sed 's/ /,/g' hot.own; cat hot.csv; } | awk -F, '
		$1 == "time" { own[$2] = $3; n++ }
		/^R[0-9]+,h/ && $4 in own {
			k = substr($4, 6)
			if ($2 !~ "^h[2-5]:0 [(]work_" k "[)]$" || $6 !~ /see[.]c$/) bad = bad $4 " in " $2 " of " $6 "; "
			sum[$4] += $9
			square[$4] += $10 ^ 2
		}
		END {
			for (name in own) {
				d = sum[name] - own[name]
				if (d ^ 2 > 16 * square[name] + (own[name] / 50) ^ 2) bad = bad name ": " sum[name] " s, not " own[name] "; "
			}
			print n, bad
			exit n != 4 || bad != ""
		}' >found
}
retry 3 hot || fail "hot spots: $(cat found)"
ompp report --view=hot hot/*.ompp >hot.txt
grep -q '^spin_3 .*see[.]c ([0-9]*-[0-9]*) (work_3)' hot.txt && ! grep -q 'serial part' hot.txt || fail "hot spots: $(cat hot.txt)"
ompp report --view=summary hot/*.ompp | grep -q '^R[0-9]*: .* % in spin_3 (see.c:' || fail 'the summary does not name the hottest function'

# Pages of each thread's block, touched first and once more in a later interval, half of them.
line=$(grep -n 'block = aligned_alloc' "$srcdir/tests/interpose/see.c" | cut -d: -f1)
for k in 0 1 2 3; do
	echo "THREAD work_$k $((60 * (k + 1)))"
done >expected
uffd() {
	run pages pages --pages=uffd --objects=all
	set -- pages/*.pages
	[ -e "$1" ] || skip "userfaultfd cannot be had here: $(cat pages/*.txt | grep -A2 OMPP_PAGES)"
	ompp pages --view=history --format=csv pages/*.pages | awk -F, -v line="$line" '
		index($0, ",see.c:" line " block") { split($0, f, "THREAD "); split(f[2], w, ":"); n["THREAD " w[1]] += $6 }
		END { for (who in n) print who, n[who] }' | LC_ALL=C sort >found
	cmp -s expected found
}
retry 5 uffd || fail "written pages: $(cat found), not $(cat expected)"

# The kernel's software counters, by thread: faults are its pages' and few more, processor time is what it spent.
run counters pages --ctr=page-faults,task-clock
ompp report --view=flat --format=csv counters/*.ompp >counters.csv
grep -q ',page-faults,' counters.csv || skip "the kernel's software counters cannot be had here"
for k in 0 1 2 3; do
	faults=$(sed -n "s/^h[2-5]:0 (work_$k),[^,]*,1,\([0-9]*\),[0-9]*\$/\1/p" counters.csv)
	[ "$faults" ] && [ "$faults" -ge $((40 * (k + 1))) ] && [ "$faults" -le $((40 * (k + 1) + 40)) ] ||
		fail "faults of thread $k: $faults, of $((40 * (k + 1))) pages: $(cat counters.csv)"
done
clock() {
	run clock hot --ctr=task-clock
	ompp report --view=flat --format=csv clock/*.ompp >clock.csv
	while read -r _ function seconds; do
		k=${function#spin_}
		ns=$(sed -n "s/^h[2-5]:0 (work_$k),[^,]*,1,\([0-9]*\)\$/\1/p" clock.csv)
		awk -v ns="${ns:-0}" -v own="$seconds" 'BEGIN { exit !(ns / 1e9 > 0.98 * own && ns / 1e9 < 1.02 * own + 0.005) }' ||
			{ echo "$function: $ns ns, not $seconds s" >found; return 1; }
	done <clock.own
}
retry 3 clock || fail "processor time: $(cat found)"

# Blocks by the call that allocates them: number, bytes, the most at a time, and how long they lived.
blocks() {
	run blocks blocks --objects=all
	ompp report --view=data --format=csv blocks/*.ompp | sed -n 's/^see[.]c:[0-9]* block\[i\] = malloc[^,]*,//p' >blocks.csv
	case $(cat blocks.csv) in
	3,0,196608,0,131072,0,*,"h2:0 (work_blocks)",R*) ;;
	*) fail "blocks: $(cat blocks.csv)" ;;
	esac
	awk -F, -v own="$(sed -n 's/^life //p' blocks.own)" '{ found = $7 } END { exit !((found - own) ^ 2 < (own / 20) ^ 2) }' blocks.csv
}
retry 3 blocks || fail "life: $(cat blocks.csv), where the program says $(cat blocks.own)"

# A label of a program that calls libompp where that is there, to who watches it.
export OMPP_QUIET=1
rc=0
ompp stat --interval=100ms -- ompp run --reportfile=none --profile=0 ./see label >out 2>watched || rc=$?
[ $rc = 7 ] || fail "label: status $rc"
[ "$(grep -c ' - the middle -' watched)" = 1 ] || fail "label: $(cat watched)"
