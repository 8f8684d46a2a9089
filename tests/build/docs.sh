# docs: the README's table is the options table, its other table has every column of the reports; the documents that a newcomer
# looks for are there, and can be read.
. "$srcdir/tests/lib.sh"

"$builddir/env/options" table >table
sed -n '/^<!-- options -->$/,/^<!-- end -->$/p' "$srcdir/README" | sed '1d;$d' >readme
same "README's table of variables (make update-docs)" table readme
for file in README HACKING GLOSSARY NEWS COPYING; do
	[ -s "$srcdir/$file" ] || fail "$file is missing"
done
# No line of a text is longer than 120 characters; bytes that continue a character do not count.
for file in README HACKING GLOSSARY NEWS; do
	LC_ALL=C tr -d '\200-\277' <"$srcdir/$file" | LC_ALL=C awk 'length > 120 { print FNR ": " $0; bad = 1 } END { exit bad }' >long ||
		fail "$file: lines of more than 120 characters: $(cat long)"
done

# Every column of the tables by region, of the overheads and of the data objects is explained: all titles in the golden reports
# but for the names of counters and objects.
LC_ALL=C sed -n '/^<!-- columns -->$/,/^<!-- end of the columns -->$/s/^    \([^ ].\{0,20\}\) .*/\1/p' "$srcdir/README" | tr -s ', ' '\n' | sort -u >known
[ -s known ] || fail 'README: no table of columns'
{
	cat "$srcdir"/tests/golden/*.csv | grep -e '^TID,' | tr ',' '\n' | sed 's|/[IE]$||' | grep -x '[a-z][A-Za-z]*[TC]'
	grep -h -A 1 '^##BEG overheads wrt' "$srcdir"/tests/golden/*.csv | grep '^,' | tr ',' '\n' | sed 's/^.* +-$/+-/'
	grep -h -A 1 -x '##BEG data objects' "$srcdir"/tests/golden/*.csv | grep '^object,' | tr ',' '\n' | grep -v -e ' ' -e object -e share -e '^m[ai][xn]$' -e avg
} | grep . | sort -u >titles
[ "$(wc -l <titles)" -ge 20 ] || fail "titles of columns: $(cat titles)"
while read -r title; do
	grep -qxF -- "$title" known || fail "README does not explain the column $title"
done <titles

# And every property, and no other.
grep -ho '"[A-Z][a-z]*[A-Z][A-Za-z]*"' "$srcdir"/reports/findings/finding_*.c | tr -d '"' | sort -u >names
sed -n '/^<!-- properties -->$/,/^<!-- end of the properties -->$/s/^    \([A-Z][A-Za-z]*\) .*/\1/p' "$srcdir/README" | sort >known
same "README's table of properties" names known
sed -n 's/^PROPERTY(\([A-Za-z]*\), ".*[.]")$/\1/p' "$srcdir/reports/findings/property.def" | sort >known
same 'what properties mean (property.def)' names known

# The short form that every manual must have, and no lines that man cannot show.
if command -v man >/dev/null; then
	for page in kinst.1 ompp.1 libompp.7; do
		LC_ALL=C.UTF-8 man --warnings -l "$builddir/env/man/$page" >page 2>warnings || fail "$page"
		[ ! -s warnings ] || fail "$page: $(head -1 warnings)"
		grep -q '^EXAMPLE' page || fail "$page: no example"
	done
fi
