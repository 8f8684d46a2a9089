# arm64-callstack: call stacks on 64-bit ARM: the unit test, and rules of libraries as readelf prints them
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

cross=aarch64-linux-gnu
libraries=/usr/$cross/lib
vm_need
need $cross-gcc
[ -f $libraries/libc.so.6 ] || skip "libc6-dev-arm64-cross is not installed"
vm_packages libcmocka0 libcmocka-dev

program=$srcdir/runtime/program base=$srcdir/runtime/base
build() {
	name=$1
	shift
	$cross-gcc -std=gnu11 -g -O2 -fomit-frame-pointer -pthread -I"$srcdir" "-I$vm_root/usr/include" "$program/callstack.c" \
		"$program/callstack_rule.c" "$program/callstack_cfi.c" "$srcdir/runtime/host/real.c" "$srcdir/runtime/host/dynamic.c" "$base/auxv.c" "$base/proc.c" "$base/text.c" "$base/filter.c" "$@" \
		"-L$vm_root/usr/lib/$cross" -ldl -o "$name"
}
build walk "$srcdir/tests/runtime/callstack.c"
build test_callstack "$srcdir/tests/unit/test_callstack.c" -lcmocka
vm_add /bin walk test_callstack
# backtrace() loads the first, the test the second
vm_add /lib $libraries/libgcc_s.so.1 $libraries/libresolv.so.2 $libraries/libm.so.6
for name in libc.so.6 libm.so.6; do
	readelf --debug-dump=frames-interp $libraries/$name 2>readelf.err |
		awk -v sp=sp -v fp=x29 -f "$srcdir/tests/runtime/callstack_rows.awk" >$name.rows
	[ "$(wc -l <$name.rows)" -gt 1000 ] || fail "$name: $(wc -l <$name.rows) rows"
	vm_add / $name.rows
done

cat >script <<'END'
test_callstack >unit 2>&1
echo $? >status
for name in libc.so.6 libm.so.6; do
	walk /lib/$name </$name.rows >$name
done
END
vm_run machine script || fail "status $?"
[ "$(cat machine/status)" = 0 ] || fail "$(cat machine/unit)"
! grep SKIPPED machine/unit || fail 'a test of call stacks was skipped'
for name in libc.so.6 libm.so.6; do
	echo "$(wc -l <$name.rows) rows" >expected
	same "$name" expected machine/$name
done
