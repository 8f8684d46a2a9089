# docs: the manual explains every column and every property of the reports; the documents that a newcomer looks for are there,
# short enough, and can be read.
. "$srcdir/tests/lib.sh"

for file in README HACKING GLOSSARY NEWS COPYING; do
	[ -s "$srcdir/$file" ] || fail "$file is missing"
done
# No line of a text is longer than 120 characters; bytes that continue a character do not count.
notes=$(cd "$srcdir" && find opari reports runtime tests -name NOTES)
for file in README HACKING GLOSSARY NEWS $notes; do
	LC_ALL=C tr -d '\200-\277' <"$srcdir/$file" | LC_ALL=C awk 'length > 120 { print FNR ": " $0; bad = 1 } END { exit bad }' >long ||
		fail "$file: lines of more than 120 characters: $(cat long)"
done

# Every column of the tables by region, of the overheads and of the data objects is explained: all titles in the golden reports
# but for the names of counters and objects.
report=$builddir/env/man/ompp-report.1
sed -n '/^[.]SS Columns$/,/^[.]SS Properties$/s/^[.]B //p' "$report" | sed 's/\\-/-/g' | tr -s ', ' '\n' | sort -u >known
[ -s known ] || fail 'ompp-report(1): no columns'
{
	cat "$srcdir"/tests/golden/*.csv | grep -e '^TID,' | tr ',' '\n' | sed 's|/[IE]$||' | grep -x '[a-z][A-Za-z]*[TC]'
	grep -h -A 1 '^##BEG overheads wrt' "$srcdir"/tests/golden/*.csv | grep '^,' | tr ',' '\n' | sed 's/^.* +-$/+-/'
	grep -h -A 1 -x '##BEG data objects' "$srcdir"/tests/golden/*.csv | grep '^object,' | tr ',' '\n' | grep -v -e ' ' -e object -e share -e '^m[ai][xn]$' -e avg
} | grep . | sort -u >titles
[ "$(wc -l <titles)" -ge 20 ] || fail "titles of columns: $(cat titles)"
while read -r title; do
	grep -qxF -- "$title" known || fail "ompp-report(1) does not explain the column $title"
done <titles

# And every property, and no other.
grep -ho '"[A-Z][a-z]*[A-Z][A-Za-z]*"' "$srcdir"/reports/findings/finding_*.c | tr -d '"' | sort -u >names
sed -n '/^[.]SS Properties$/,/^[.]SS Costly/s/^[.]B \([A-Z][a-z]*[A-Z][A-Za-z]*\)$/\1/p' "$report" | sort >known
same "properties of ompp-report(1)" names known
sed -n 's/^PROPERTY(\([A-Za-z]*\), ".*[.]")$/\1/p' "$srcdir/reports/findings/property.def" | sort >known
same 'what properties mean (property.def)' names known

# No lines that man cannot show; an example in the pages for beginners; each command has a page or is on that of another one.
if command -v man >/dev/null; then
	for page in "$builddir"/env/man/*.[137]; do
		head -1 "$page" | grep -q '^[.]so ' && continue
		LC_ALL=C.UTF-8 man --warnings -l "$page" >text 2>warnings || fail "$page"
		[ ! -s warnings ] || fail "$page: $(head -1 warnings)"
		case ${page##*/} in
		kinst.1 | ompp.1 | libompp.7) grep -q '^EXAMPLE' text || fail "$page: no example" ;;
		esac
	done
fi
ompp help --words >commands
[ -s commands ] || fail 'no commands'
cut -f 1 commands | while read -r command; do
	case $command in
	help | run | --*) continue ;;
	esac
	page=$builddir/env/man/ompp-$command.1
	sed -n 's/^[.]so man[17]/./p' "$page" >link
	[ ! -s link ] || page=$builddir/env/man/$(cat link)
	grep -q "^[.]B ompp $command\$" "$page" || fail "ompp $command has no page"
done
[ "$(wc -l <"$srcdir/README")" -le 150 ] || fail 'README has more than 150 lines'
[ "$(wc -l <"$srcdir/HACKING")" -le 250 ] || fail 'HACKING has more than 250 lines'
for file in $notes; do
	grep -q -e "$file " "$srcdir/HACKING" || fail "HACKING does not name $file"
done
