# mem-traffic: the traffic of memory controllers that libompp_mem counts is what they counted, to the byte, for each of four
# NUMA nodes: a module of ours registers them under the names of the real ones, and a program plants what they count
# (mem_pmu/mem_traffic.c)
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

vm_cpus=4,sockets=4 vm_memory=512M
vm_four_nodes 128M
vm_need_module
vm_module mem_traffic
$CC -O1 -I"$srcdir" -I"$srcdir/tests/vm/mem_pmu" "$srcdir/tests/vm/mem_pmu/traffic.c" -o traffic \
	-L"$builddir/.libs" -lompp_mem
$CC -O1 -I"$builddir/include" "$srcdir/examples/mem_traffic.c" -o mem_traffic -L"$builddir/.libs" -lompp_mem
vm_add /bin traffic mem_traffic

cat >run <<'END'
says() {                # says ERROR WORDS COMMAND…
	want=$1 words=$2
	shift 2
	"$@" >out 2>&1
	case $(cat out) in "$want"*"$words"*) ;; *) cat out; echo "FAILED: $kind: $*: not $want …$words"; exit 1 ;; esac
}
kind=none
says '-2 ' 'no memory controllers that count' traffic supported
says 'no counts of memory controllers: ' '; run it on another' mem_traffic
for kind in server free client umc; do
	insmod /mem_traffic.ko kind=$kind || exit 1
	split=
	[ $kind != umc ] || split=split
	traffic $split >out 2>&1 || { cat out; echo "FAILED: $kind"; exit 1; }
	says '268435456 bytes were written' 'node 3: 0 bytes read, 0 bytes written' mem_traffic
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	says '-4 ' 'kernel.perf_event_paranoid is 2; set it to 0' su user -c 'traffic supported'
	echo 0 >/proc/sys/kernel/perf_event_paranoid
	su user -c "traffic $split" >out 2>&1 || { cat out; echo "FAILED: $kind: as an ordinary user"; exit 1; }
	rmmod mem_traffic || exit 1
done
echo all
END
vm_run machine run || { cat machine/log; tail -5 machine/dmesg; fail 'traffic is not as it was planted'; }
[ "$(tail -1 machine/log)" = all ] || { cat machine/log; fail 'not all kinds were run'; }
! grep -E 'WARNING:|BUG:|Oops' machine/dmesg || fail 'the kernel complains'
