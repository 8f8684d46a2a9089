# live: the page of ompp live in a browser: toggles, zooms, pauses, reconnects, replays.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
. "$srcdir/tests/browser/address.sh"
grep -q '^#define HAVE_MICROHTTPD' "$builddir/config.h" || skip 'libmicrohttpd is not installed'

# A recording whose numbers are known: 10 s.
awk 'BEGIN {
	print "{\"ompp\":\"recording\",\"version\":1,\"start_unix_ns\":1700000000000000000,\"interval_ns\":100000000,\"program\":null}"
	print "{\"sensor\":\"stat\",\"of\":\"CPU\",\"events\":[{\"name\":\"user\",\"unit\":\"s\",\"kind\":\"counter\",\"scale\":0.01,\"what\":\"<i>in programs</i>\"},{\"name\":\"idle\",\"unit\":\"s\",\"kind\":\"counter\",\"scale\":0.01,\"what\":\"\"}]}"
	print "{\"sensor\":\"vmstat\",\"of\":\"machine\",\"events\":[{\"name\":\"nr_free\",\"unit\":\"pages\",\"kind\":\"gauge\",\"scale\":1,\"what\":\"\"}]}"
	print "{\"columns\":[[\"stat\",\"user\",null],[\"stat\",\"idle\",null],[\"vmstat\",\"nr_free\",null]],\"limits\":[2,null,null]}"
	for (i = 1; i <= 100; i++) {
		printf "{\"t\":%d,\"dt\":[100000000,100000000],\"v\":[5,null,%d]}\n", i * 1e8, 999 + i
		if (i % 10 == 1)
			printf "{\"t\":%d,\"regions\":[\"a<b.c:3:LOOP\",\"other\"],\"threads\":[%d,1],\"waits\":[0,%d]}\n", i * 1e8, i % 20 == 1 ? 0 : -1, i % 20 == 1
		if (i == 50) print "{\"label\":\"</script><b>x</b>\",\"t\":5000000000}"
	}
	print "{\"end\":true,\"t\":10000000000}"
}' >known.jsonl
replay() { # replay FILE MODE
	ompp live "$1" >out 2>err &
	pid=$!
	browse "$srcdir/tests/browser/live.py" "$2" "$(address out)"
	kill $pid
	wait $pid || fail "status $?"
}
replay known.jsonl replay
# The same as one file, whole and cut off.
ompp export --form=html -o known.html known.jsonl || fail 'export'
[ "$(grep -c '</script>' known.html)" = 2 ] || fail 'a name ends the script'
browse "$srcdir/tests/browser/live.py" file known.html
head -c "$(($(grep -b -o '"t":7100000000' known.html | head -1 | cut -d: -f1) + 20))" known.html >cut.html
browse "$srcdir/tests/browser/live.py" cut cut.html

# Paper has more totals than the screen, and names that are longer than its lines.
awk 'BEGIN {
	for (name = "user"; length(name) < 150;) name = name "_and_more"
	print "{\"ompp\":\"recording\",\"version\":1,\"start_unix_ns\":1700000000000000000,\"interval_ns\":100000000,\"program\":null}"
	print "{\"sensor\":\"stat\",\"of\":\"CPU\",\"events\":[{\"name\":\"" name "\",\"unit\":\"s\",\"kind\":\"counter\",\"scale\":0.01,\"what\":\"\"}]}"
	printf "{\"columns\":["
	for (k = 0; k < 100; k++) printf "%s[\"stat\",\"%s\",\"cpu%d\"]", k ? "," : "", name, k
	print "]}"
	for (i = 1; i <= 20; i++) {
		printf "{\"t\":%d,\"dt\":[100000000],\"v\":[", i * 1e8
		for (k = 0; k < 100; k++) printf "%s%d", k ? "," : "", (i * (k + 3)) % 11
		print "]}"
	}
	print "{\"end\":true,\"t\":2000000000}"
}' >wide.jsonl
ompp export --form=html -o wide.html wide.jsonl || fail 'export of 100 columns'
browse "$srcdir/tests/browser/live.py" paper wide.html

# The connection is cut, away for a while, silent.
ompp live --interval=100ms >out 2>err &
pid=$!
trap 'status=$?; kill $pid; finish $status' EXIT
browse "$srcdir/tests/browser/live.py" cut-off "$(address out)"
trap finish EXIT
kill $pid
wait $pid || :

export OMPP_QUIET=1
kinst $CC -O1 -fopenmp "$srcdir/tests/runtime/regions.c" -o regions || fail 'regions.c'
ompp live --interval=50ms --control=ctl -- ./regions 60 >out 2>err &
pid=$!
trap 'status=$?; kill $pid; finish $status' EXIT
browse "$srcdir/tests/browser/live.py" live "$(address err)" ctl ./regions
kill -0 $pid || fail 'the program has not gone on'
trap finish EXIT
kill $pid
wait $pid || :
