# breakpoint: the counts of a few words in a program without hooks are exact, by thread and region, also when the words move;
# and what cannot be watched is refused.
. "$srcdir/tests/lib.sh"

kinst "$CC" -O1 -fopenmp "$srcdir/tests/access/breakpoint.c" -o plain || fail "kinst"

# On a virtual machine traps may be lost.  Then breakpoints are used where they are asked for, no number is shown after a
# lost trap, and such a run is repeated.
virtual=
! grep -q '^flags.* hypervisor' /proc/cpuinfo || virtual=1
has_lost() {
	[ -n "$virtual" ] && tr -s ' \n' ' ' <"$1" | grep -q 'the virtual machine lost a trap'
}

# run NAMES [ARGUMENT]: a CSV report
run() {
	for try in 1 2 3 4 5 6 7 8 9; do
		OMPP_DATA_NAME=$1 OMPP_OUTFORMAT=CSV,PLAIN OMPP_REPORTFILE= OMPP_OVERWRITE=1 timeout 60 ./plain ${2-} 2>messages ||
			fail "the program with $1"
		mv plain.*.ompp.csv report.csv
		mv plain.*.ompp.txt report.txt
		has_lost report.txt || break
	done
	reason=$(tr -s ' \n' ' ' <report.txt | grep -o 'perf_event_open is not permitted[^;]*\|no hardware breakpoints' | head -1)
	[ -z "$reason" ] || skip "$reason"
}

# is OBJECT COLUMN VALUE [REGION]: fails unless the object has the value in the whole program, or in the region.
is() {
	got=$(awk -F, -v object="$1" -v column="$2" -v region="${4-}" '
		BEGIN { section = "^##BEG data objects" (region == "" ? "$" : " by region$") }
		$0 ~ section { getline; for (i = 1; i <= NF; i++) at[$i] = i; on = 1; next }
		/^##END/ { on = 0 }
		on && $1 == object && (region == "" || $at["type"] == region || $at["region"] == region) { print $at[column] }
		' report.csv)
	[ "$got" = "$3" ] || { sed -n '/^##BEG data str/,/^##END data str/p' report.csv; fail "$1 $2 ${4-}: '$got', expected $3"; }
}

OMPP_DATA_METHOD=breakpoint
export OMPP_DATA_METHOD
run counter,flag
is counter accesses 637
is counter stores 30
is counter accesses 630 PARALLEL
is counter accesses 7 '(serial)'
is counter min 117
is counter max 310
is counter threads 3
is counter loads -
is flag accesses 3
is flag stores 3
is flag accesses 3 CRITICAL
is '(other)' accesses -

# with more words there are no counters for stores; and one object is too many
run counter,flag,pair
is counter accesses 637
is counter stores -
is pair accesses 5
is pair stores -

if [ -n "$virtual" ]; then
	OMPP_DATA_METHOD=auto
	run pair heap
	is pair accesses -
	tr -s ' \n' ' ' <report.txt | grep -q 'Not counted: pair, .*OMPP_DATA_METHOD=breakpoint counts 4 words' || fail "no note"
	OMPP_DATA_METHOD=breakpoint
else
	OMPP_DATA_METHOD=auto
fi
run pair heap
is pair accesses 5
is element accesses 50
is element stores 0

run counter,flag,pair heap
is pair accesses 5
is element accesses -
grep -q 'element: too few of the 4 slots are left; measured: counter, flag, pair' report.txt messages ||
	tr -s ' \n' ' ' <report.txt | grep -q 'Not counted: element' || fail "nothing says that element is not measured"

# a name that is in several places at once is not measured, and has no number
run counter private
is counter accesses 637
is mine accesses -

# a breakpoint that costs too much is given up, be there no event of the program meanwhile, or many
kinst "$CC" -O1 -fopenmp "$srcdir/tests/access/costly.c" -o costly || fail "kinst"

costly() {
	OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv timeout 60 ./costly "$@" 2>messages || fail "costly $*: ends with $?"
}

# On a virtual machine no breakpoint is given up for its cost, as all of them are asked for; test_breakpoint does it there.
if [ -z "$virtual" ]; then
	costly 30000000 1
	is w1 accesses -
	is w0 accesses 1
	is w3 accesses 1
	grep -q 'Not counted to the end: w1: each access stops the program for ' report.csv || fail "w1 is given up without a note"
	costly 30000000 100
	is w1 accesses -
	is w0 accesses 100
	costly 1000 100
	is w1 accesses 1100
	costly 20000 100                        # counted to the end, or no number
	grep -q 'Not counted to the end: w1' report.csv && is w1 accesses - || is w1 accesses 20100
fi
export OMPP_DATA_METHOD=breakpoint
costly 100000 1
if has_lost report.csv; then
	is w1 accesses -
	is w0 accesses -
	costly 100 1
	is w1 accesses 101
elif [ -n "$virtual" ]; then
	# so many hits in a row that the machine may stop the breakpoint unseen, which the report says
	tr -s ' \n' ' ' <report.csv | grep -q 'Accesses are at least as many as shown' || fail "counts of a virtual machine without a note"
	is w0 accesses 1
	[ "$(awk -F, '/^##BEG data objects$/ { getline; for (i = 1; i <= NF; i++) at[$i] = i } $1 == "w1" { print $at["accesses"]; exit }' report.csv)" -le 100001 ] ||
		fail "more accesses of w1 than there are"
else
	is w1 accesses 100001
fi

# In a program with hooks, variables that are small enough for breakpoints are counted by the hooks alone: in the serial part
# too, which begins before the program has told of its hooks.
unset OMPP_DATA_METHOD
cat >hooked.c <<'C'
static char small[32];
int main(void)
{
	for (int i = 0; i < 20; i++) {
		small[i] = 1;
		__asm__ volatile("" : : "r"(small) : "memory");
	}
#pragma omp parallel num_threads(2)
	__asm__ volatile("" : : : "memory");
	return 0;
}
C
kinst --access "$CC" -O1 -fopenmp hooked.c -o hooked || fail "kinst"
OMPP_DATA_NAME=small OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv ./hooked 2>messages || fail "hooked: ends with $?"
is small stores 20
is small accesses 20
