# kokkos: the real Kokkos tells libompp_kokkos of its kernels: each is a region as often as the program says, around the
# OpenMP regions in it, and each View an object with the accesses of its elements; output and status are the plain ones
. "$srcdir/tests/lib.sh"

kokkos='-std=c++14 -O1 -g -fopenmp -w -I/usr/include/trilinos'
build() {
	"$@" $kokkos "$srcdir/tests/kokkos/kokkos.cpp" -o it -ltrilinos_kokkoscore 2>log
}
build $GXX || skip 'Kokkos is not here (libtrilinos-kokkos-dev)'
[ -e "$builddir/.libs/libompp_kokkos.so" ] || skip 'libompp_kokkos is not built (--disable-shared)'
rc=0
./it >want || rc=$?
[ $rc = 3 ] || fail "plain: $rc"

# measured WHAT OPTIONS…: runs it; what it says of itself is compared, and DIR/report.csv is written
measured() {
	rm -rf told
	rc=0
	ompp run --quiet --outdir=told --reportfile= "$@" ./it >out 2>said || rc=$?
	[ $rc = 3 ] || fail "$*: status $rc: $(cat said)"
	head -n 1 out >got
	same "$*: output" want got
	ompp report --format=csv told/*.ompp >report.csv || fail "$*: no report"
	ompp report --format=json told/*.ompp >json || fail "$*: no JSON"
}

# The regions below each other, by name and number of visits.
paths() {
	python3 "$srcdir/tests/call_paths.py" json | grep -v 'initialization\|^|fence\|^[^|]*|fence' | LC_ALL=C sort
}
cat >expected <<'END'
parallel_for team|PARALLEL LOOP|14
section part|parallel_scan scan|1
solve|deep_copy Host:y to Host:x|1
solve|parallel_for axpy|7
solve|parallel_for team|7
solve|parallel_reduce dot|1
|section part|1
|solve|1
END

build kinst $GXX || fail "kinst: $(cat log)"
measured --kokkos
paths >found
same 'regions' expected found
! grep -q 'left without their end\|came without a begin' report.csv || fail "regions without an end: $(grep ^Note report.csv)"
measured
paths >found
[ "$(cat found)" = '|PARALLEL LOOP|14' ] || fail "without --kokkos: $(cat found)"

# Plainly built: the kernels, and GCC's parallel regions in them.
build $GXX
measured --kokkos
sed 's/PARALLEL LOOP/PARALLEL/' expected >plain
paths >found
same 'plainly built: regions' plain found

# The user's own tool stays.
KOKKOS_TOOLS_LIBS=other.so ompp run --quiet --outdir=own --reportfile= --kokkos ./it >out 2>said && fail 'own tool: status'
grep -q 'KOKKOS_TOOLS_LIBS is set' said || fail "own tool: $(cat said)"

# Views: the kernels' accesses of the elements; the copy and the first values are made in code without hooks, or with.
build kinst --access $GXX || fail "kinst --access: $(cat log)"
measured --kokkos
# count OBJECT LOADS|STORES REGION
count() {
	python3 -c '
import json, sys
p = json.load(open("json"))
a = p["accesses"]
print(sum(a[sys.argv[2]][i] for i in range(len(a["object"]))
          if p["objects"]["name"][a["object"][i]] == sys.argv[1] and a["path"][i] is not None and
          p["paths"]["region"][a["path"][i]] is not None and
          p["regions"]["name"][p["paths"]["region"][a["path"][i]]] == sys.argv[3]))' "$@"
}
for want in 'x loads 7000' 'y loads 7000' 'y stores 7000'; do
	set -- $want
	[ "$(count $1 $2 'parallel_for axpy')" = $3 ] || fail "axpy: $1 $2: $(count $1 $2 'parallel_for axpy'), not $3"
done
[ "$(count y loads 'parallel_reduce dot')" = 1000 ] || fail "dot: $(count y loads 'parallel_reduce dot')"
[ "$(count x stores 'parallel_scan scan')" = 1000 ] || fail "scan: $(count x stores 'parallel_scan scan')"
