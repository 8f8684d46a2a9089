# history: the page of ompp history: pictures have each run and median where its number is, and a change where the JSON has
# it; more pictures are drawn when they are asked for; names of strangers do nothing; versions that lack a region
. "$srcdir/tests/lib.sh"
make=$builddir/tests/compare/runs_make
mkdir runs
for version in 1 2 3 4 5 6 7 8; do
	planted=
	[ $version -lt 6 ] || planted=planted
	"$make" runs "v$version." 5 $version version=$version $planted
done
ompp history --format=HTML runs >history.html || fail "html: $?"
ompp history --format=json runs >history.json || fail "json: $?"
ompp history --format=html runs/v1.1.ompp >one.html || fail "one run: $?"
# a region that the last two versions alone have
for version in 7 8; do
	"$make" runs "v$version." 5 $version version=$version planted maps=1
done
ompp history --format=html runs >new.html || fail "a new region: $?"
name='\\u003c/script>\\u003cimg src=x onerror=alert(1)>\\\\x1b[31m\\"'
sed "s|PARALLEL solve.c|$name|g; s|\"app\":\"solve\"|\"app\":\"$name\"|; s|\"name\":\"v3\"|\"name\":\"$name\"|" history.html >strange.html
! cmp -s history.html strange.html || fail 'no name is a stranger'
# exit statuses are those of the other formats
status=0
ompp history --format=html --fail-on=ever-slower --least=20 runs/v[1-6]* >out 2>err || status=$?
[ $status = 3 ] && grep -q 'slower .* from v6 on' err || fail "--fail-on: $status, $(cat err)"
[ "$(cat ./*.html | grep -o 'https\?://[^"]*' | sort -u)" = http://www.w3.org/2000/svg ] || fail 'an address'

. "$srcdir/tests/browser/browser.sh"
browse "$srcdir/tests/browser/history.py" history.html history.json one.html new.html strange.html
