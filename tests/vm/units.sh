# units: the unit programs of other machines, by QEMU's user mode.  What this lacks is a list here; each other function of
# each program passes, or skips itself on this machine, too.  The parts are those of aarch64, then riscv64, powerpc64le and
# s390x, as many as each has here; by itself it takes all of aarch64.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/cross.sh"
. "$srcdir/tests/vm/vm.sh"
machines='aarch64 aarch64 riscv64 riscv64 powerpc64le powerpc64le s390x s390x'

# part_of PART/PARTS: prints the machine of a part, which one of the machine's parts it is, and how many it has.
part_of() {
	echo "$machines" | tr ' ' '\n' | awk -v at="${1%/*}" -v parts="${1#*/}" '
		{ n[$1]++ }
		NR == at { machine = $1; part = n[$1] }
		END { if (NR != parts || !machine) exit 1; print machine, part, n[machine] }'
}

# A program, its function, the machine, and why QEMU's user mode cannot run it there: a program with "-" is left out as a
# whole, and one with "skips" may skip functions, or all, of its own accord.
cat >rows <<'END'
access_model - all the address space has no limit (RLIMIT_AS)
access_sample skips all the clock that programs can read is too slow (62 MHz), or there is none
breakpoint - all no hardware breakpoints
collect costs_of_estimates_may_be_more_than_the_run_s all beside a slow clock the rest of an event does not show
collect barriers_have_a_cost_of_their_own all beside a slow clock the rest of an event does not show
counter page_faults_count_here all no counters (perf_event_open)
counter the_whole_machine_is_counted_on_its_cpus all no counters
counters skips all no counters
demangle skips riscv64 no C++ library, with whose names ours are compared
filter skips all no filters of system calls (seccomp)
filter test_forgets all no filters of system calls
interrupted skips all no trap flag
mapping a_filter_may_refuse all no filters of system calls
mapping bounds_are_the_kernels all the kernel has other addresses than the program
page_use - all threads that wait are woken late, and their times are compared
page_use_times - all threads that wait are woken late, and their times are compared
path_interrupted skips all no trap flag
probe_ranges skips all the clock is too slow, or there is none
program from_memory all the kernel has other addresses than the program
sampler skips all no samples (perf_event_open)
stamp skips all no clock of samples
statistic - powerpc64le millions of floating-point operations, each of which takes long there
statistic - s390x millions of floating-point operations
task_path skips all the processor's clock does not serve, so that no event takes the quick way
touch skips all no page faults handed to the program (userfaultfd)
uncore says_what_is_needed all no counters
uncore skips all no counters
varied skips all its sums are of the numbers of x86-64
varied_commands skips all its sums are of the numbers of x86-64
varied_files skips all its sums are of registers and events of x86-64
varied_run skips all its sums are of memory at known places
writers skips s390x the locales of this machine have another order of bytes
END

own='aarch64 1 1'
[ ! "${PART:-}" ] || own=$(part_of "$PART") || fail "there is no part $PART of $machines"
read -r machine part parts <<END
$own
END
awk -v machine="$machine" '$3 == "all" || $3 == machine { print $1 " " $2 " " }' rows >lacks

cross_need "$machine"
cross_seconds=900 # a machine may be busy
vm_security= # cmocka alone is fetched
case $machine in
powerpc64le) vm_arch=ppc64el ;;
riscv64) vm_arch=riscv64 vm_suite=trixie ;; # bookworm has not got this machine
s390x) vm_arch=s390x ;;
esac
vm_setup
for tool in apt-get apt-cache dpkg-deb; do
	need $tool
done
vm_fetch libcmocka0 libcmocka-dev

there=$vm_root/usr/lib/$cross
all=$(make -s --no-print-directory -C "$builddir" list-tests LIST='$(unit_tests)' | grep '^tests/' | grep -v test_papi || :)
[ "$all" ] || skip 'this build has no unit programs, for lack of cmocka'
[ "$(echo "$all" | wc -l)" -ge 100 ] || fail "unit programs: $all"
while read -r name function _; do
	case $function in
	- | skips) function=main ;;
	esac
	grep -q "\<$function\>" "$srcdir/tests/unit/test_$name.c" || fail "there is no $function in test_$name"
done <rows
programs=$(echo "$all" | awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts')
# shellcheck disable=SC2086
cross_build CFLAGS='-g -O1' CPPFLAGS="-I$vm_root/usr/include" LDFLAGS="-L$there -Wl,-rpath-link,$there" $programs

# functions RESULT FILE: the functions of which cmocka says this.
functions() {
	sed -n "s/^\[ *$1 *\] \([a-z_0-9]*\)$/\1/p" "$2" | sort -u
}

# run_here: runs the program on this machine, into said.here.
run_here() {
	env -u MAKEFLAGS -u MFLAGS make -s -C "$builddir" "$program" >build.log 2>&1 || fail "$program does not build here"
	"$builddir/$program" >said.here 2>&1 || :
}

n=0
for program in $programs; do
	name=${program#tests/unit/test_}
	! grep -q "^$name - " lacks || continue
	status=0
	cross_run -E LD_LIBRARY_PATH="$there:/usr/$cross/lib" "$cross_folder/$program" >said 2>&1 || status=$?
	if [ $status = 77 ] && grep -q "^$name skips " lacks; then
		continue
	fi
	[ $status != 124 ] || fail "$program: not at its end after $cross_seconds s: $(tail -n 3 said)"
	functions FAILED said >failed
	[ $status = 0 ] || { [ -s failed ] && [ $status -lt 124 ]; } || { tail -n 30 said; fail "$program: status $status"; }
	while read -r function; do
		grep -q "^$name $function " lacks || { grep -v '^\[       OK' said | tail -n 30; fail "$program: $function"; }
	done <failed
	functions SKIPPED said >skipped
	if [ -s skipped ] && ! grep -q "^$name skips " lacks; then
		run_here
		functions SKIPPED said.here >skipped.here
		same "what $program skips here and there" skipped.here skipped
	elif [ ! -s skipped ] && ! grep -q '^\[       OK' said; then
		run_here # a program may say nothing where all is well
		! grep -q '^\[       OK' said.here || fail "$program: nothing was tested: $(tail -n 3 said)"
	fi
	n=$((n + 1))
done
[ $n -ge $((100 / parts)) ] || fail "$n programs were run"
