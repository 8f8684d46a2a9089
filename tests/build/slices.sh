# slices: what env/check does not run each time is divided into slices (env/slices) that have every part once, none is empty
# or too long, a slice has parts of one sort, and a commit has always the same two.  env/check leaves tests out in time.
# Lists of tests have each once, and that of tests/mutation all of them that it needs.
. "$srcdir/tests/lib.sh"
slices=$srcdir/env/slices

"$slices" >division || fail "env/slices"
n=$(tail -n 1 division | cut -d ' ' -f 1)

# The union of all slices is the whole list, each part once.
awk '!/^#/ && NF { for (part = 1; part <= $4; part++) print $1, $2, $3, part "/" $4 }' "$srcdir/tests/slices" | sort >whole
cut -d ' ' -f 2- division | sort >union
[ -s whole ] || fail "tests/slices is empty"
same "the union of the slices" whole union

# No slice is empty.  None takes more than 7 minutes: what env/check does each time takes 10 on two cores.
awk -v n="$n" '
	{ seconds[$1] += $2 }
	END {
		for (slice = 1; slice <= n; slice++)
			if (!(slice in seconds) || seconds[slice] > 420) {
				print "slice " slice ": " seconds[slice] + 0 " seconds"
				bad = 1
			}
		exit bad
	}' division || fail "a slice is empty or too long: divide the test in tests/slices into parts"

# A slice has suites and quick tests, or neither.
awk '{ often = $3 ~ /^(suite|quick)$/; if ($1 in sort && sort[$1] != often) exit 1; sort[$1] = often }' division ||
	fail "a slice has both sorts"

# The same hash has the same slices.  Hashes in a row have all slices of a sort, each once.
read -r _ _ n_often n_seldom <<END
$("$slices" --of=0)
END
[ $((n_often + n_seldom)) -eq "$n" ] || fail "env/slices --of: $n_often and $n_seldom slices of $n"
i=0
while [ $i -lt $((n_often > n_seldom ? n_often : n_seldom)) ]; do
	printf '%07x%s\n' $i "$(echo $i | md5sum | cut -c 1-33)"
	i=$((i + 1))
done >hashes
for run in 1 2; do
	"$slices" --of="$(paste -s -d , hashes)" >of.$run
done
"$slices" --of="$(tail -n 1 hashes)" >last
tail -n 1 of.1 | same "the slices of a hash alone" last -
same "the slices of the same hashes" of.1 of.2
cut -d ' ' -f 1 of.1 | head -n "$n_often" | sort -n >chosen
cut -d ' ' -f 2 of.1 | head -n "$n_seldom" | sort -n >>chosen
seq "$n" >numbers
same "the slices of hashes in a row" numbers chosen

# The rows are the slow tests, and every place and every target that the scripts know.
listed() {
	awk -v kind="$1" '!/^#/ && $2 == kind { print $3 }' "$srcdir/tests/slices" | sort
}
# told WHAT KIND: fails unless the rows of the kind are the words on stdin.
told() {
	tr -s ' \n' '\n' | grep . | sort >there
	listed "$2" >rows
	same "tests/slices: rows of $1" there rows
}
list_of() {
	"$MAKE" -s --no-print-directory -C "$builddir" list-tests LIST="\$($1)"
}
list_of slow_tests | told slow_tests test
list_of FUZZ_TARGETS | told FUZZ_TARGETS fuzz
sed -n 's/^places=${\*:-\(.*\)}$/\1/p' "$srcdir/tests/build/elsewhere.sh" | told "tests/build/elsewhere.sh" place

# The parts of a place have together each test once.
for part in 1 2 3; do
	PART=$part/3 "$srcdir/tests/build/elsewhere.sh" "$builddir" list
done | sort >parts
list_of 'unit_tests) $(script_tests) $(turn_tests' | sort >tests
same "the tests of the parts of a place" tests parts

# None has much more to do than the others, by the seconds of its tests; of those there is none that is gone.
awk '!/^#/ { print $2 }' "$srcdir/tests/build/seconds" | sort >known
[ "$(comm -23 known tests)" = "" ] || fail "tests/build/seconds: no tests: $(comm -23 known tests)"
# Nor is a script gone that is left out on a machine of another architecture.
awk '!/^#/ && NF { print $1 }' "$srcdir/tests/build/foreign" | sort >known
[ "$(comm -23 known tests)" = "" ] || fail "tests/build/foreign: no tests: $(comm -23 known tests)"
for part in 1 12 23 34 45; do
	PART=$part/45 "$srcdir/tests/build/elsewhere.sh" "$builddir" list |
		awk 'NR == FNR { if (NF == 2) seconds[$2] = $1; next } { sum += $1 in seconds ? seconds[$1] : 3 } END { print sum + 0 }' \
			"$srcdir/tests/build/seconds" -
done | sort -n >sums
awk 'NR == 1 { least = $1 } { most = $1 } END { exit !(most <= 68 || most <= 1.5 * least) }' sums || fail "parts of a place are unequal: $(cat sums)"

# A list has no test of another list.
list_of 'unit_tests) $(script_tests) $(turn_tests) $(slow_tests' | sort | uniq -d >twice
[ ! -s twice ] || fail "tests in two lists: $(cat twice)"

# What puts faults into sources (tests/mutation) knows each unit test and each folder of sources, and no test that is gone.
faults=$srcdir/tests/mutation/TESTS
awk '!/^#/ { for (i = 2; i <= NF; i++) print $i }' "$faults" | sort -u >named
list_of unit_tests | sort | comm -23 - named >unnamed
[ ! -s unnamed ] || fail "tests/mutation/TESTS does not name: $(cat unnamed)"
while read -r test; do
	[ -e "$srcdir/$test" ] || [ -e "$srcdir/$test.c" ] || fail "tests/mutation/TESTS: no test: $test"
done <named
(cd "$srcdir" && find opari reports runtime -name '*.c' -printf '%h\n') | sort -u |
	awk 'NR == FNR { if (!/^#/) known[$1]; next }
		{ for (at = $0; !(at in known) && sub("/[^/]*$", "", at);); if (!(at in known)) print }' "$faults" - >unnamed
[ ! -s unnamed ] || fail "tests/mutation/TESTS names no tests of: $(cat unnamed)"

# A test is started while there is time, ended when there is none, and it fails by its own limit.
start() {
	now=$(date +%s)
	CHECK_STARTS=$((now + $1)) CHECK_ENDS=$((now + $2)) "$srcdir/tests/start" "$3" sh -c "$4" >out 2>&1
}
status=0
start 600 600 60 'exit 3' || status=$?
[ $status -eq 3 ] || fail "a test that has time: status $status"
start 600 600 60 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
grep -qE '^took: [0-9]+ s, [0-9]+\.[0-9] s of processors$' out && ! grep -q ' 0\.0 s of processors$' out ||
	fail "what a test took: $(cat out)"
status=0
start -1 600 60 'echo started' || status=$?
[ $status -eq 77 ] && grep -q '^left out: ' out && ! grep -q started out || fail "a test without time: status $status, $(cat out)"
status=0
start 600 3 60 'echo started; sleep 60' || status=$?
[ $status -eq 77 ] && grep -q started out && grep -q '^left out: ' out || fail "a test at the end: status $status, $(cat out)"
status=0
start 600 600 1 'sleep 60' || status=$?
[ $status -eq 124 ] || fail "a test beyond its own limit: status $status"

# `make check` alone has no times between which tests run, and says how long each took, too.
status=0
(unset CHECK_STARTS CHECK_ENDS && "$srcdir/tests/start" 60 sh -c 'echo ran; exit 3') >out 2>&1 || status=$?
[ $status -eq 3 ] && grep -qx ran out && tail -n 1 out | grep -qE '^took: [0-9]+ s, [0-9]+\.[0-9] s of processors$' ||
	fail "a test of make check: status $status, $(cat out)"

# A test of times that failed is run once more, one of counts is not; PASSES is how often it has to run until it passes.
mkdir -p folder/tests/runtime folder/tests/unit
cat >folder/Makefile <<'EOF'
repeated_tests = '^tests/runtime/'
list-tests:
	@echo $(LIST)
check:
	echo run >>$(TESTS).runs
	test "$$(wc -l <$(TESTS).runs)" -ge "$$PASSES" && echo :global-test-result: PASS >$(TESTS:.sh=.trs) || \
		echo :global-test-result: FAIL >$(TESTS:.sh=.trs)
EOF
again() {
	rm -f folder/$2.sh.runs
	"$srcdir/tests/again" folder "$2" env PASSES="$1"
}
again 1 tests/runtime/slow || fail "a test that passes when it is repeated: $(cat folder/again.out)"
! again 2 tests/runtime/slow || fail "a test that fails again"
! again 1 tests/unit/slow || fail "a test that does not depend on times is repeated"
! "$srcdir/tests/again" no_folder tests/runtime/slow 2>/dev/null || fail "a test of no build"
[ ! -e folder/tests/unit/slow.sh.runs ] || fail "a test that does not depend on times is run again"
[ "$("${MAKE:-make}" -s -C "$builddir" list-tests LIST='$(repeated_tests)' | tail -n 1 | cut -c 1-9)" = '^tests/\(' ] ||
	fail "which tests are repeated"

# A place says what it had no time for: it has not failed for that, but by a test that has.
cat >folder/Makefile <<'EOF'
check:
	for name in $(TESTS); do \
		"$(start)" 60 sh $(srcdir)/$$name.sh >$$name.log; status=$$?; \
		case $$status in 0) word=PASS ;; 77) word=SKIP ;; *) word=FAIL ;; esac; \
		echo ":global-test-result: $$word" >$$name.trs; \
		[ $$word != FAIL ] || failed=1; \
	done; exit $$failed
EOF
echo 'exit 0' >folder/tests/runtime/passes.sh
echo 'exit 1' >folder/tests/runtime/fails.sh
echo 'echo skip: no such tool; exit 77' >folder/tests/runtime/skips.sh
# place STARTS STATUS NAME…: runs these tests, which may start for so many seconds, on one processor.
place() {
	starts=$1 wanted=$2 status=0
	shift 2
	rm -f folder/tests/runtime/*.trs
	now=$(date +%s)
	CHECK_STARTS=$((now + starts)) CHECK_ENDS=$((now + 600)) start=$srcdir/tests/start srcdir=. \
		TESTS="$(printf 'tests/runtime/%s ' "$@")" "$srcdir/tests/build/elsewhere.sh" folder processor >out 2>&1 || status=$?
	[ $status -eq "$wanted" ] || fail "a place: $starts seconds for $*: status $status, $(cat out)"
}
place 600 0 passes skips
grep -q '^processor: 1 passed, 0 failed, 1 skipped$' out || fail "a place with time: $(cat out)"
place 600 1 passes fails
place 600 1 skips
place -1 124 passes fails
grep -q '^processor: 2 left out: ' out || fail "a place without time: $(cat out)"

# A list that has grown is divided anew: whatever its length, no slice is too long.
awk '!/^#/ && NF { print; $1 = 420; print }' "$srcdir/tests/slices" >longer
"$slices" "$work/longer" | awk '{ seconds[$1] += $2 } END { for (i in seconds) if (seconds[i] > 420) exit 1 }' ||
	fail "a longer list has a slice that is too long"
echo '10 sweet clang 1' >wrong
! "$slices" "$work/wrong" >out 2>&1 || fail "an unknown kind is taken"
grep -q 'wrong: line 1: ' out || fail "the message for an unknown kind: $(cat out)"
