# docs: the README's table is the options table, and the documents that a newcomer looks for are there.
. "$srcdir/tests/lib.sh"

"$builddir/env/options" table >table
sed -n '/^<!-- options -->$/,/^<!-- end -->$/p' "$srcdir/README" | sed '1d;$d' >readme
same "README's table of variables (make update-docs)" table readme
for file in README HACKING GLOSSARY NEWS COPYING; do
	[ -s "$srcdir/$file" ] || fail "$file is missing"
done
# The short form that every manual must have, and no lines that man cannot show.
if command -v man >/dev/null; then
	for page in kinst.1 ompp.1 libompp.7; do
		LC_ALL=C.UTF-8 man --warnings -l "$builddir/env/man/$page" >page 2>warnings || fail "$page"
		[ ! -s warnings ] || fail "$page: $(head -1 warnings)"
	done
fi
