# mem-pmu: memory samples of libompp_mem are what a PMU delivered, to the sample, by the kernel's own perf core: a module of
# ours registers the PMUs under the names of the real ones, and a program plants what they sample (mem_pmu/mem_pmu.c); each
# time with two or three of the seven kinds
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

vm_cpus=2 vm_memory=512M
vm_need_module
vm_module mem_pmu
$CC -O1 -I"$srcdir" -I"$srcdir/tests/vm/mem_pmu" "$srcdir/tests/vm/mem_pmu/planted.c" -o planted \
	-L"$builddir/.libs" -lompp_mem -lpthread
for name in loads stores overflow; do
	$CC -O1 -fopenmp -I"$builddir/include" "$srcdir/examples/mem_$name.c" -o "mem_$name" -L"$builddir/.libs" -lompp_mem
	vm_add /bin "mem_$name"
done
vm_add /bin planted "$builddir/ompp"

kinds=
for kind in skylake golden hybrid zen4 zen5 silent spe; do
	! in_part 3 || kinds="$kinds $kind"
done
echo "kinds='$kinds'" >run
cat >>run <<'END'
kernel=/proc/sys/kernel
rate() {                # samples a second from which on the kernel stops events for a while
	echo 25 >$kernel/perf_cpu_time_max_percent
	echo "$1" >$kernel/perf_event_max_sample_rate
	echo 0 >$kernel/perf_cpu_time_max_percent
}
must() {
	"$@" >out 2>&1 || { cat out; echo "FAILED: $kind: $*"; exit 1; }
}
says() {                # says ERROR WORDS COMMAND…: what the library says of what cannot be
	want=$1 words=$2
	shift 2
	"$@" >out 2>&1
	case $(cat out) in "$want "*"$words"*) ;; *) cat out; echo "FAILED: $kind: $*: not $want …$words"; exit 1 ;; esac
}
counters() {            # counters SOURCE WORDS: what ompp counters says of a source of samples
	ompp counters >out 2>&1
	grep -q "^  $1  *$2" out || { grep -A7 '^Samples' out; echo "FAILED: $kind: ompp counters: $1: not $2"; exit 1; }
}
user() {
	su user -c "$*"
}
kind=none
echo 2 >$kernel/perf_event_paranoid
rate 10000000
says -2 'no PMU that samples' planted both supported
for unit in pebs ibs spe; do counters $unit 'not here: no PMU .*; choose hook'; done
counters auto '.*, here hook'
for kind in $kinds; do
	insmod /mem_pmu.ko kind=$kind || exit 1
	case $kind in
	zen*) must planted both all 144; must planted loads all 144; must planted stores all 144 ;;
	hybrid) for cpu in 0 1; do must taskset -c $cpu planted both; done ;;
	spe) for kinds in loads stores both; do must planted $kinds spe; done ;;
	silent) says -2 'delivers no samples' planted both supported ;;
	*) must planted both; must planted loads; must planted stores ;;
	esac
	case $kind in
	zen*) counters ibs 'loads and stores: ibs_op/config=' ;;
	silent) counters pebs 'not here: pebs opens here, but delivers no samples'; counters auto '.*, here hook' ;;
	spe) counters spe 'loads and stores: arm_spe_0/config=' ;;
	*) counters pebs 'loads and stores: cpu.*/config=0x'; counters auto '.*, here pebs' ;;
	esac
	case $kind in
	skylake)
		for example in mem_loads mem_stores mem_overflow; do
			must $example
			grep -q samples out || grep -q 'stores sampled' out || { cat out; echo "FAILED: $example"; exit 1; }
			! grep 'no samples of' out || exit 1
		done
		rate 1000
		must planted loads throttled
		rate 10000000
		must user planted both
		echo 40 >$kernel/perf_event_mlock_kb
		must user 'ulimit -l 0; planted loads tight'
		echo 0 >$kernel/perf_event_mlock_kb
		says -4 'kernel.perf_event_mlock_kb' user 'ulimit -l 0; planted loads supported'
		echo 516 >$kernel/perf_event_mlock_kb
		echo 3 >$kernel/perf_event_paranoid
		says -4 'perf_event_paranoid is 3; set it to 2' user planted loads supported
		echo 2 >$kernel/perf_event_paranoid
		;;
	zen4) says -4 'perf_event_paranoid is 2' user planted loads supported ;;
	zen5) must user planted both all 144 ;;
	esac
	rmmod mem_pmu
done
echo all
END
vm_run machine run || { cat machine/log; tail -5 machine/dmesg; fail 'samples are not as they were planted'; }
[ "$(tail -1 machine/log)" = all ] || { cat machine/log; fail 'not all kinds were run'; }
! grep -E 'WARNING:|BUG:|Oops' machine/dmesg || fail 'the kernel complains'
