# slices: tests that take minutes are divided into slices (env/slices) that have every part once, none is empty or too
# long for env/check, and a commit has always the same one.
. "$srcdir/tests/lib.sh"
slices=$srcdir/env/slices

"$slices" >division || fail "env/slices"
n=$(tail -n 1 division | cut -d ' ' -f 1)

# The union of all slices is the whole list, each part once.
awk '!/^#/ && NF { for (part = 1; part <= $4; part++) print $1, $2, $3, part "/" $4 }' "$srcdir/tests/slices" | sort >whole
cut -d ' ' -f 2- division | sort >union
[ -s whole ] || fail "tests/slices is empty"
same "the union of the slices" whole union

# No slice is empty.  None takes more than 5 minutes: what env/check does besides takes 23 on two cores.
awk -v n="$n" '
	{ seconds[$1] += $2 }
	END {
		for (slice = 1; slice <= n; slice++)
			if (!(slice in seconds) || seconds[slice] > 300) {
				print "slice " slice ": " seconds[slice] + 0 " seconds"
				bad = 1
			}
		exit bad
	}' division || fail "a slice is empty or too long: divide the test in tests/slices into parts"

# The same hash has the same slice.  Hashes in a row have all slices, each once.
i=0
while [ $i -lt "$n" ]; do
	printf '%07x%s\n' $i "$(echo $i | md5sum | cut -c 1-33)"
	i=$((i + 1))
done >hashes
for run in 1 2; do
	while read -r hash; do
		"$slices" --of="$hash"
	done <hashes >of.$run
done
same "the slices of the same hashes" of.1 of.2
cut -d ' ' -f 1 of.1 | sort -n >chosen
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
list_of 'unit_tests) $(script_tests' | sort >tests
same "the tests of the parts of a place" tests parts

# A list that has grown is divided anew: whatever its length, no slice is too long.
awk '!/^#/ && NF { print; $1 = 300; print }' "$srcdir/tests/slices" >longer
"$slices" "$work/longer" | awk '{ seconds[$1] += $2 } END { for (i in seconds) if (seconds[i] > 300) exit 1 }' ||
	fail "a longer list has a slice that is too long"
echo '10 suite clang 1' >wrong
! "$slices" "$work/wrong" >out 2>&1 || fail "an unknown kind is taken"
grep -q 'wrong: line 1: ' out || fail "the message for an unknown kind: $(cat out)"
