# many: 100,000 objects and 64 threads that count, set, move and end ranges at the same time; the counts equal arithmetic,
# also while the hooks sample.
. "$srcdir/tests/lib.sh"
kinst --access gcc -O2 -Wall -fopenmp "$srcdir/tests/access/many.c" -o many || fail "many.c"
export OMP_WAIT_POLICY=passive OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report.csv

# run WITH…: runs it with these settings, and compares
run() {
	env "$@" timeout 120 ./many >expected 2>err || fail "$*: the program: $(cat err)"
	awk -F, '/^##BEG data objects$/ { on = 1; getline; next } /^##END data objects$/ { on = 0 } on { print $1, $2, $3 }' \
		report.csv >objects
	while read -r prefix n loads stores; do
		awk -v prefix="$prefix" -v n="$n" -v loads="$loads" -v stores="$stores" '
			index($1, prefix) == 1 { found++; if ($2 != loads || $3 != stores) { print $0 " instead of " loads " " stores; bad++ } }
			END { if (found != n) print prefix ": " found + 0 " objects instead of " n; exit bad || found != n }' objects |
			head -n 5 >wrong
		[ ! -s wrong ] || fail "$*: $(cat wrong)"
	done <expected
	# the rings of first touches, of which nothing is compared here, may be full while other programs lock memory
	! grep -i 'lost' report.csv | grep -v 'page faults were lost, so that first touches' || fail "$*: something was lost"
}
run OMPP_SAMPLE=off
run OMPP_SAMPLE=hook
