# flow: the page of ompp flow in a browser: its rows are those of CSV; sorting and searching; names of strangers do nothing; nothing
# is asked for, and the console is empty
. "$srcdir/tests/lib.sh"
make=$builddir/tests/runtime/flow_make
"$make" a.flow 500 41 1000000000 1700000000000000000 && "$make" b.flow 500 43 2000000000 1700000001000000000 || fail 'no traces'
for format in html csv; do
	ompp flow --view=time --slices=5 --object=far --format=$format a.flow b.flow >time.$format || fail "$format: $?"
done
ompp flow --format=HTML a.flow >objects.html || fail "objects: $?"
# The same with a name that a stranger gave: the data of the page have it as JSON has texts.
name='\\u003c/script>\\u003cimg src=x onerror=alert(1)>'
sed "s|\"near\"|\"$name\"|g" objects.html >hostile.html
! cmp -s objects.html hostile.html || fail 'no name is a stranger'

. "$srcdir/tests/browser/browser.sh"
browse "$srcdir/tests/browser/flow.py" time.html time.csv objects.html hostile.html
