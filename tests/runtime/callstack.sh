# callstack: rules of libraries are those that readelf prints, row by row; a library that takes another's place has rules
# of its own once those of before are forgotten
. "$srcdir/tests/lib.sh"
case $(uname -m) in
x86_64) sp=rsp fp=rbp ;;
aarch64) sp=sp fp=x29 ;;
*) skip "call stacks are not walked on $(uname -m)" ;;
esac
need readelf

program=$srcdir/runtime/program base=$srcdir/runtime/base
$CC -g -O2 -pthread -I"$srcdir" "$srcdir/tests/runtime/callstack.c" "$program/callstack.c" "$program/callstack_rule.c" \
	"$program/callstack_cfi.c" "$srcdir/runtime/host/real.c" "$srcdir/runtime/host/dynamic.c" "$base/auxv.c" "$base/proc.c" "$base/text.c" "$base/filter.c" -ldl -o walk

for name in libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6; do
	library=$($CC -print-file-name=$name)
	[ -f "$library" ] || continue
	readelf --debug-dump=frames-interp "$library" 2>readelf.err |
		awk -v sp=$sp -v fp=$fp -f "$srcdir/tests/runtime/callstack_rows.awk" >rows
	./walk "$library" <rows >result || fail "$name: status $?"
	n=$(sed -n 's/ rows$//p' result)
	[ "$n" = "$(wc -l <rows)" ] && [ "$n" -gt 100 ] || fail "$name: $n rows"
	[ "$(wc -l <result)" = 1 ] || fail "$name: $(head -5 result)"
	echo "$name: $n rows"
done
[ -s result ] || fail 'no library was compared'

# Two libraries with the same instructions, whose frames differ in size, and a program that loads one after the other: by
# the rules of the first the callers of the second are others.
for size in 2000 6000; do
	cat >call.c <<END
#include <string.h>
__attribute__((visibility("default"))) void call(void (*f)(void))
{
	char room[$size];

	memset(room, 0, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	f();
	__asm__ volatile("" : : "r"(room) : "memory");
}
END
	$CC -O2 -fPIC -shared -fno-stack-protector -fno-builtin call.c -o "$size.so"
done
# After 32,767 times the marks of rules come round.
for times in 1 32767; do
	result=$(./walk $times ./2000.so ./6000.so)
	[ "${result% *}" != elsewhere ] || skip 'the second library did not take the place of the first'
	[ "$result" = 'there same' ] || fail "$times: $result"
done
result=$(./walk 0 ./2000.so ./6000.so)
[ "$result" = 'there other' ] || fail "rules that are never forgotten are right, too: nothing was tested ($result)"
