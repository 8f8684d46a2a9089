# ranks: a page of many ranks has a picture of them by region, whose colours and tips are the times of the profiles, and a table
# with the least, the mean and the most; a page of one process has neither
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
mkdir ranks one
"$builddir/tests/browser/profiles" ranks 48 2 3 ranks
"$builddir/tests/browser/profiles" ranks 1 2 3 one
ompp report --format=html ranks/*.ompp >ranks.html || fail 'ranks'
ompp report --format=html one/r0.ompp >one.html || fail 'one'
browse "$srcdir/tests/browser/ranks.py" ranks.html one.html
rm -rf ranks one
