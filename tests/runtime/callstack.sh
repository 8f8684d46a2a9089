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
	"$program/callstack_cfi.c" "$base/real.c" "$base/dynamic.c" "$base/auxv.c" -ldl -o walk

# rows LIBRARY: prints the rules of its functions as walk does: first address, end, rule.  Where the expressions of rows
# lead readelf does not say, and what a signal handler returns to has no rule, so these are left out.
rows() {
	readelf --debug-dump=frames-interp "$1" 2>/dev/null | awk -v sp="$sp" -v fp="$fp" '
		# readelf writes addresses of one length, so that they can be compared as words.
		function end_row(end) {
			if (row != "" && begin "" < end "")
				print begin, end, row
			row = ""
		}
		{ gsub(/ \([^)]*\)/, "") } # r5 (rdi)
		$4 == "CIE" { is_signals[$1] = $5 ~ /S/; is_wanted = 0 }
		$4 == "FDE" { split($5, cie, "="); split($6, pc, /=|\.\./); is_wanted = !is_signals[cie[2]] }
		$1 == "LOC" { for (fp_at = NF; fp_at > 2 && $fp_at != fp; fp_at--); n = NF }
		!NF { end_row(pc[3]) }
		is_wanted && $1 ~ /^[0-9a-f]+$/ && $4 != "FDE" && NF == n {
			end_row($1)
			begin = $1
			place = fp_at > 2 ? $fp_at : "u"
			if ($2 != "exp" && place !~ /exp/)
				row = $NF ~ /^c/ && ($2 ~ sp || $2 ~ fp) ? $2 " " place " " $NF : "none"
		}
		END { end_row(pc[3]) }'
}

for name in libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6; do
	library=$($CC -print-file-name=$name)
	[ -f "$library" ] || continue
	rows "$library" >rows
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
	[ "$result" != 'elsewhere same' ] || skip 'the second library did not take the place of the first'
	[ "$result" = 'there same' ] || fail "$times: $result"
done
result=$(./walk 0 ./2000.so ./6000.so)
[ "$result" = 'there other' ] || fail "rules that are never forgotten are right, too: nothing was tested ($result)"
