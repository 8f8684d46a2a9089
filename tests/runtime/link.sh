# link: a static program, and a library with regions that a program without any loads and unloads
. "$srcdir/tests/lib.sh"

export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0

if $CC -static -fopenmp -w "$srcdir/tests/runtime/ends.c" -o plain 2>/dev/null; then
	for way in -static -static-pie; do
		kinst $CC $way -fopenmp "$srcdir/tests/runtime/ends.c" -o still -w
		! ldd still 2>/dev/null | grep -q '=>' || fail "not static"
		for how in return:2 _exit:4 abort:134 crash:139; do
			rc=0
			{ OMPP_REPORTFILE="$PWD/static" ./still ${how%:*} >out 2>err || rc=$?; } 2>/dev/null
			[ $rc = ${how#*:} ] || fail "$way, ${how%:*}: status $rc"
			[ "$(csv_field static PARALLEL SUM execC)" = 2 ] || fail "$way, ${how%:*}: count"
			rm -f static
		done
	done
else
	echo "no static OpenMP library for $CC: static programs are not tested"
fi

kinst $CC -shared -fPIC -fopenmp "$srcdir/tests/runtime/library.c" -o libregion.so
$CC "$srcdir/tests/runtime/load.c" -o load
rc=0
OMPP_REPORTFILE="$PWD/loaded" ./load ./libregion.so >out 2>err || rc=$?
[ $rc = 3 ] && [ "$(cat out)" = "190 45" ] || fail "dlopen: status $rc: $(cat out err)"
[ "$(csv_field loaded 'PARALLEL LOOP' SUM execC)" = 4 ] || fail "dlopen: count"
[ "$(csv_field loaded 'PARALLEL LOOP' h2:1 execC)" = 1 ] || fail "dlopen: second host"
rm loaded
rc=0
{ OMPP_REPORTFILE="$PWD/loaded" ./load ./libregion.so term >out 2>err || rc=$?; } 2>/dev/null
[ $rc = 143 ] || fail "signal after dlclose: status $rc"
[ "$(csv_field loaded 'PARALLEL LOOP' SUM execC)" = 4 ] || fail "signal after dlclose: no report"
