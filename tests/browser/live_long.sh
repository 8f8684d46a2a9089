# live_long: the page of ompp live beside much: 200 columns of 10 minutes at 100 ms, and a watcher that reads a thousand
# times a second for a while, with two pages that look on: its journal fills in a minute or two, and then it does not grow.
# LIVE_SECONDS: how long (60).
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/browser/browser.sh"
. "$srcdir/tests/browser/address.sh"
grep -q '^#define HAVE_MICROHTTPD' "$builddir/config.h" || skip 'libmicrohttpd is not installed'
: "${LIVE_SECONDS:=60}"
BROWSE_SECONDS=$((LIVE_SECONDS + 240))

awk 'BEGIN {
	print "{\"ompp\":\"recording\",\"version\":1,\"start_unix_ns\":1700000000000000000,\"interval_ns\":100000000,\"program\":null}"
	print "{\"sensor\":\"stat\",\"of\":\"CPU\",\"events\":[{\"name\":\"user\",\"unit\":\"s\",\"kind\":\"counter\",\"scale\":0.01,\"what\":\"\"}]}"
	printf "{\"columns\":["
	for (k = 0; k < 200; k++) printf "%s[\"stat\",\"user\",\"cpu%d\"]", k ? "," : "", k
	print "]}"
	for (i = 1; i <= 6000; i++) {
		printf "{\"t\":%d,\"dt\":[100000000],\"v\":[", i * 1e8
		for (k = 0; k < 200; k++) printf "%s%d", k ? "," : "", (i * (k + 3) + int(i * i / 97)) % 11
		print "]}"
	}
}' >many.jsonl
ompp live many.jsonl >out 2>err &
pid=$!
trap 'status=$?; kill $pid; finish $status' EXIT
browse "$srcdir/tests/browser/live.py" many "$(address out)"
kill $pid
wait $pid || fail "status $?"

ompp live -e 'stat:user,stat:system,stat:idle,stat:switches,vmstat:pgfault,vmstat:pgmajfault,vmstat:nr_free_pages,node:numa_hit,node:numa_miss,diskstats:read,net:received,pressure,vmstat' \
	--interval=1ms >out2 2>err &
pid=$!
browse "$srcdir/tests/browser/live.py" soak "$(address out2)" "$LIVE_SECONDS" "$pid"
trap finish EXIT
kill $pid
wait $pid || fail "status $?"
