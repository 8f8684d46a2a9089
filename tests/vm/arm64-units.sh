# arm64-units: the unit programs of 64-bit ARM, by QEMU's user mode.  What this lacks is a list here; each other function
# of each program passes, or skips itself on this machine, too.  PART=1/2 is every second program; by itself it takes all.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/cross.sh"
. "$srcdir/tests/vm/vm.sh"

# A program, its function, and why QEMU's user mode cannot run it: a program with "-" is left out as a whole, and one with
# "skips" may skip functions of its own accord.
cat >lacks <<'END'
access_model - the address space has no limit (RLIMIT_AS)
access_sample skips the clock that programs can read is too slow (62 MHz)
breakpoint - no hardware breakpoints
counter page_faults_count_here no counters (perf_event_open)
counter the_whole_machine_is_counted_on_its_cpus no counters
counters skips no counters
filter skips no filters of system calls (seccomp)
filter test_forgets no filters of system calls
mapping a_filter_may_refuse no filters of system calls
mapping bounds_are_the_kernels the kernel has other addresses than the program
page_use - threads that wait are woken late, and their times are compared
probe_ranges skips the clock is too slow
program from_memory the kernel has other addresses than the program
sampler skips no samples (perf_event_open)
stamp skips no clock of samples
touch skips no page faults handed to the program (userfaultfd)
uncore says_what_is_needed no counters
uncore skips no counters
END
cross_need aarch64
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
done <lacks
programs=$(echo "$all" | awk -v part="${PART:-1/1}" 'BEGIN { split(part, of, "/") } NR % of[2] == of[1] % of[2]')
# shellcheck disable=SC2086
cross_build CFLAGS='-g -O1' CPPFLAGS="-I$vm_root/usr/include" LDFLAGS="-L$there -Wl,-rpath-link,$there" $programs

# rows RESULT FILE: the functions of which cmocka says this.
rows() {
	sed -n "s/^\[ *$1 *\] \([a-z_0-9]*\)$/\1/p" "$2" | sort -u
}

n=0
for program in $programs; do
	name=${program#tests/unit/test_}
	! grep -q "^$name - " lacks || continue
	status=0
	cross_run -E LD_LIBRARY_PATH="$there:/usr/$cross/lib" "$cross_folder/$program" >said 2>&1 || status=$?
	[ $status != 124 ] || fail "$program: not at its end after 300 s: $(tail -n 3 said)"
	rows FAILED said >failed
	[ $status = 0 ] || { [ -s failed ] && [ $status -lt 124 ]; } || { tail -n 30 said; fail "$program: status $status"; }
	while read -r function; do
		grep -q "^$name $function " lacks || { grep -v '^\[       OK' said | tail -n 30; fail "$program: $function"; }
	done <failed
	rows SKIPPED said >skipped
	if [ -s skipped ] && ! grep -q "^$name skips " lacks; then
		env -u MAKEFLAGS -u MFLAGS make -s -C "$builddir" "$program" >build.log 2>&1 || fail "$program does not build here"
		"$builddir/$program" >said.here 2>&1 || :
		rows SKIPPED said.here >skipped.here
		same "what $program skips here and there" skipped.here skipped
	elif [ ! -s skipped ]; then
		grep -q '^\[       OK' said || fail "$program: nothing was tested: $(tail -n 3 said)"
	fi
	n=$((n + 1))
done
[ $n -ge 50 ] || fail "$n programs were run"
