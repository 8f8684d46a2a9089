# mappings: with OMPP_OBJECTS=all a mapping of which a part is unmapped goes on with what is left: sums, accesses and the
# trace equal arithmetic
. "$srcdir/tests/lib.sh"
here=$srcdir/tests/runtime
page=$(getconf PAGESIZE)
[ "$page" = 4096 ] || skip "pages have $page bytes"

run() {
	"$builddir/kinst" --access $CC -g -O1 -fopenmp "$here/mappings.c" -o "$1"
	rm -f ./*.ompp*
	env "$2" OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME=app "./$1" >out || fail "$1: the program: $(cat out)"
	"$builddir/ompp" report --format=csv app.*.ompp >"$1.csv"
}
run plain A=b

# places CSV: name, blocks, live, bytes, live bytes of each place that allocates; stores CSV: name, stores of each object
places() {
	awk -F, '/^allocated at,/ { for (i = 1; i <= NF; i++) col[$i] = i; inside = 1; next }
		/^##/ { inside = 0 }
		inside { gsub(/"([^"]|"")*"/, "-")
			sub(/^mappings.c:/, "", $1); sub(/ .*/, "", $1)
			print $1, $col["blocks"], $col["live"], $col["bytes"], $col["live bytes"] }' "$1" | sort -n
}
places plain.csv >places
awk -F, '/^##BEG data objects$/ { inside = 1; next } /^##/ { inside = 0 }
	inside && /^object,/ { for (i = 1; i <= NF; i++) col[$i] = i; next }
	inside { sub(/^mappings.c:/, "", $1); sub(/ .*/, "", $1); print $1, $col["stores"] }' plain.csv >stores

# is NAME BLOCKS LIVE PAGES LIVE-BYTES STORES
is() {
	line=$(grep -n "/\* $1 \*/" "$here/mappings.c" | cut -d: -f1)
	got=$(grep "^$line " places) || fail "$1: not in the report: $(cat places)"
	[ "$got" = "$line $2 $3 $4 $5" ] || fail "$1: $got, not $line $2 $3 $4 $5"
	got=$(awk -v line="$line" '$1 == line { print $2 }' stores)
	[ "$got" = "$6" ] || fail "$1: $got stores, not $6: $(cat stores)"
}
all=$((16 * page))
is middle 1 1 $all $((10 * page)) 10
is over 1 1 $((2 * page)) $((2 * page)) 2
is ends 1 1 $all $((8 * page)) 8
is reserve 1 1 $all $((12 * page)) 12
is fixed 1 1 $((4 * page)) $((4 * page)) 4
is shrunk 1 1 $all $((5 * page)) 5
is old 1 1 $((4 * page)) $((2 * page)) 2
is grown 1 1 $((400 * page)) $((400 * page)) 400
is pieces 1 0 $all 0 16
is around 1 1 $((12 * page)) $((4 * page)) 4
is left 1 1 $((4 * page)) $((2 * page)) 2
is right 1 1 $((4 * page)) $((2 * page)) 2
is odd 1 1 10000 5904 2
is kept 1 1 $((4 * page)) $((4 * page)) 4

# Small objects are found by the table of blocks, and there each part is one.
run small OMPP_OBJECT_MIN=1G
places small.csv >small
same 'places with small objects' places small

has_sample_clock || skip 'the trace: this processor has no clock for samples'
# In a trace no access is without the thread that allocated, and each place has as many ends as in the report.
rm -f ./*.ompp*
OMPP_OBJECTS=all OMPP_TRACE=1 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1 OMPP_QUIET=1 OMPP_APPNAME=app ./plain >out ||
	fail "traced: $(cat out)"
"$builddir/ompp" flow --view=events --format=csv app.*.flow >events.csv || fail 'no events'
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
	$col["kind"] == "store" && $col["function"] == "touch" { n++; if ($col["allocator"] != 0 || $col["object"] !~ /mmap|mremap/) print }
	$col["kind"] == "free" && $col["object"] ~ /mappings.c/ { n_ends++; if ($col["object"] !~ /pieces/) print }
	END { if (n != 473 || n_ends != 1) print n, "stores,", n_ends, "ends" }' events.csv >wrong
[ ! -s wrong ] || fail "the trace: $(cat wrong)"
