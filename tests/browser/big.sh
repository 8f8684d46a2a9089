# big: the page of a profile of 10,000 call paths and 256 threads is less than 20 MB, takes less than 110,000 kB of memory
# beside the cells to make, as the text does, draws only what is seen, and says of which call paths it has the sums
# alone.  Times are in reports/NOTES.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
# A shell's limit of address space stands for the memory.  The cells are there once, of 200 bytes each.
most=$((10000 * 256 * 200 / 1024 + 110000))
make_big() {
	"$builddir/tests/browser/profiles" big 10000 256 >big.ompp
}
make_big
for format in html text; do
	(ulimit -v $most && ompp report --format=$format --top=20 big.ompp >big.$format) || fail "$format takes more than $most kB"
	[ -s big.$format ] || fail "$format: nothing"
done
(ulimit -v $most && ompp report --format=html big.ompp >big.html) || fail "the page takes more than $most kB"
(ulimit -v $most && ompp report --view=summary big.ompp >summary) || fail "the summary takes more than $most kB"
bytes=$(wc -c <big.html)
[ "$bytes" -lt 20000000 ] || fail "the page has $bytes bytes"
ompp report --view=flat --format=csv --region=R00002 big.ompp >flat.csv
rm big.ompp # its threads would be checked by report_check.awk for minutes
browse "$srcdir/tests/browser/big.py" big.html flat.csv
