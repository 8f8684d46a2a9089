# layouts_more: layouts.sh with more programs
KINDS='apart apart apart split split split split half padded'
. "$srcdir/tests/access/layouts.sh"
