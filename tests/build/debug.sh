# debug: what libompp checks of its own data (--enable-debug) is in such builds, and nothing of it in others.
. "$srcdir/tests/lib.sh"

nm -A "$builddir"/runtime/*/*.o "$builddir"/runtime/*/.libs/*.o 2>/dev/null >symbols
grep -q ' T ompp_callgraph_find' symbols || fail "the objects were not read"
if grep -q '^OMPP_CFLAGS = .*-DOMPP_DEBUG' "$builddir/Makefile"; then
	for name in ompp_check_failed ompp_callgraph_check ompp_frames_check ompp_ranges_check ompp_collect_check; do
		grep -q " T $name\$" symbols || fail "$name is not in a build with --enable-debug"
		grep -q " U $name\$" symbols || fail "nobody calls $name"
	done
elif grep -E 'ompp_(check_failed|(callgraph|frames|ranges|collect)_check)$' symbols; then
	fail "checks are in a build without --enable-debug"
fi
