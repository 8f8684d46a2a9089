# allocators: with OMPP_OBJECTS=all the report names OpenMP's allocator of each block, and its bytes are those of the call
. "$srcdir/tests/lib.sh"
here=$srcdir/tests/runtime

# is BLOCKS LIVE BYTES ALLOCATOR PLACE: has the report such a line?
is() {
	line=$(grep -n "/\* $5 \*/" "$here/allocators.c" | cut -d: -f1)
	awk -F, -v place="allocators.c:$line" -v wanted="$1 $2 $3 $4" '
		/^allocated at,/ { for (i = 1; i <= NF; i++) col[$i] = i; inside = 1; next }
		/^##/ { inside = 0 }
		{ gsub(/"([^"]|"")*"/, "-") }
		inside && index($1, place " ") == 1 {
			got = $col["blocks"] " " $col["live"] " " $col["bytes"] " " $col["allocator"]
			if (got == wanted) found = 1
			print got
		}
		END { exit !found }' report.csv >got || fail "$compiler: $5: $(cat got), not $1 $2 $3 $4"
}

try() {
	compiler=$1
	"$builddir/kinst" --access "$@" -g -O1 -fopenmp "$here/allocators.c" -o allocators
	rm -f app.*
	OMPP_OBJECTS=all OMPP_QUIET=1 OMPP_APPNAME=app ./allocators >out 2>err || fail "$compiler: status $?"
	own=$(cat err)
	"$builddir/ompp" report --format=csv app.*.ompp >report.csv
	is 10 0 100010 omp_default_mem_alloc null
	is 10 0 100020 "$own" own
	"$builddir/ompp" report --view=data app.*.ompp >text
	grep -q 'allocated at .* memory' text || fail "$compiler: no column in the text"
	[ "$compiler" = "$CC" ] || return 0
	is 10 0 100000 omp_high_bw_mem_alloc high
	is 5 0 50015 omp_large_cap_mem_alloc two
	is 5 0 50015 omp_const_mem_alloc two
	is 1 0 10000 omp_low_lat_mem_alloc zeroed
	is 1 1 30000 omp_low_lat_mem_alloc longer
	# each byte of a block is a store to it
	stores=$(awk -F, '/^##BEG data objects$/ { inside = 1 } /^##END/ { inside = 0 }
		inside && /^object,/ { for (i = 1; i <= NF; i++) col[$i] = i }
		inside && /omp_alloc|omp_realloc/ { n += $col["stores"] } END { print n }' report.csv)
	[ "$stores" = 430060 ] || fail "$compiler: $stores stores"
	grep -q ' high_bw$' text || fail "$compiler: $(cat text)"
}
try $CC
[ -z "$CLANG" ] || try $CLANG
