# arm64-pmu: counters of a real PMU: programs and libraries for 64-bit ARM on Debian's kernel under QEMU.  With
# -icount an instruction takes a nanosecond and a cycle, so that counts are those of arithmetic.  The PMU has a
# counter for cycles and six for other events, of which QEMU counts instructions (r08) and cycles (r11) alone.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/vm.sh"

cross=aarch64-linux-gnu
arm64=$builddir/tests/vm/arm64          # the libraries for the machine; kept
vm_libraries=$arm64/.libs
vm_need
need opari2
need $cross-gcc
[ -f /usr/$cross/include/stdio.h ] || skip "libc6-dev-arm64-cross is not installed"
vm_packages libpfm4 libpfm4-dev libpapi7.0 libpapi-dev strace

# libompp, its helper and ompp, against Debian's PAPI and libpfm4 of that architecture.
build() {
	mkdir -p "$arm64"
	cd "$arm64"
	# as in cross.sh: libtool takes a third less time by a shell that starts quickly
	[ -f Makefile ] || CONFIG_SHELL=/bin/sh /bin/sh "$srcdir/configure" -q --disable-static --host=$cross \
		--build="$(gcc -dumpmachine)" CC=$cross-gcc CFLAGS='-g0 -O1' PKG_CONFIG=false CPPFLAGS="-I$vm_root/usr/include" \
		LDFLAGS="-L$vm_root/usr/lib/$cross -Wl,-rpath-link,$vm_root/usr/lib/$cross"
	env -u MAKEFLAGS -u MFLAGS make -s -j"$(getconf _NPROCESSORS_ONLN)" LIBTOOLFLAGS=--silent \
		libompp.la libompp_openmp.la ompp-papi ompp include/ompp.h
}

(build) >build.log 2>&1 || { tail -20 build.log; fail "libompp does not build for $cross"; }
export KINST_LIBDIR="$arm64/.libs" KINST_INCLUDEDIR="$arm64/include"
kinst $cross-gcc -O2 -fopenmp -D_GNU_SOURCE "$srcdir/tests/vm/pmu.c" -o pmu || fail "pmu does not build"
kinst $cross-gcc -O2 -fopenmp "$srcdir/examples/critical.c" -o critical || fail "critical does not build"
kinst $cross-gcc -O2 -fopenmp "-I$vm_root/usr/include" "$srcdir/tests/vm/papi.c" -o papi \
	"-L$vm_root/usr/lib/$cross" "-Wl,-rpath-link,$vm_root/usr/lib/$cross" -lpapi || fail "papi does not build"
for program in sampling take; do
	$cross-gcc -O2 -D_GNU_SOURCE "$srcdir/tests/vm/$program.c" -o $program
done
vm_add /bin critical papi pmu sampling take "$arm64/ompp" "$vm_root/usr/bin/strace"
vm_add /libexec/kinst "$arm64/ompp-papi"

# In each machine: run FOLDER COMMAND…, in a folder of its own.
cat >run <<'END'
export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE=report OMPP_QUIET=1 OMP_WAIT_POLICY=passive
export OMPP_CTR=PAPI_TOT_INS,PAPI_TOT_CYC OMPP_HOT=0 # what samples take, and where, is not the same each time
run() {
	mkdir -m 777 "$1"
	cd "$1"
	shift
	("$@") >out 2>err
	echo $? >status
	cd ..
}
user() { su user -c "$*"; }
kernel() { echo "$2" >/proc/sys/kernel/"$1"; }
END

# Eight events for seven counters; each of the events counts.
pmu=armv8_pmuv3
eight=PAPI_TOT_CYC,PAPI_TOT_INS,r11,r8,$pmu/cpu_cycles/,$pmu/inst_retired/
eight=$eight,$pmu/event=0x11,rdpmc=1/,$pmu/event=8,rdpmc=1/
cat run - >two.sh <<END
run known env -u OMPP_CTR OMPP_CTR1=PAPI_TOT_INS OMPP_CTR2=PAPI_TOT_CYC pmu
run example env OMP_NUM_THREADS=2 critical
run unplug pmu unplug
kernel perf_user_access 1
run unplug_access pmu unplug
kernel perf_user_access 0
export OMPP_CTR=PAPI_TOT_INS,page-faults,context-switches
kernel perf_event_paranoid 2
run user2 user pmu
run papi papi
run not_named pmu
run named pmu named
run given env OMPP_DATA_ADDR=0x1000 OMPP_DATA_SIZE=8 pmu
run dead env OMPP_CTR=PAPI_TOT_INS,r1b,PAPI_L1_DCM,L1D_CACHE_REFILL,@tlb,PAPI_TOT_INZ pmu
run sampling sampling
run counters ompp counters --all --format=csv
run instructions ompp counters PAPI_TOT_INS
run misses ompp counters PAPI_L1_DCM
kernel perf_event_paranoid 3
run user3 user pmu
END
cat run - >one.sh <<END
run first pmu
run second pmu
run calls strace -f -o trace pmu
kernel perf_user_access 1
run access env OMPP_EVAL1=PAPI_TOT_INS/PAPI_TOT_CYC pmu
run no_calls strace -f -o trace pmu
run long pmu long
run taken take pmu
pushed_out() {
	pmu long &
	usleep 300000
	take usleep 500000
	wait
}
run pushed_out pushed_out
kernel perf_user_access 0
run seven env OMPP_CTR=${eight%,*,*} pmu
run eight env OMPP_CTR=$eight pmu
run multiplex env OMPP_CTR=$eight OMPP_MULTIPLEX=1 pmu
run counters ompp counters --all --format=csv
END
cat run - >plain.sh <<END
run dead env OMPP_CTR=PAPI_TOT_CYC,PAPI_TOT_INS,r08 pmu
END

vm_cpu=cortex-a57 vm_cpus=2 vm_options='-icount shift=0'
vm_run two two.sh || fail "two processors: $?"
vm_cpu=max,pauth-impdef=on vm_cpus=1
vm_run one one.sh || fail "one processor: $?"
vm_options=
vm_run plain plain.sh || fail "without a counted clock: $?"

# ended FOLDER…: fails unless the program of each folder ended well.
ended() {
	for folder; do
		[ "$(cat "$folder/status")" = 0 ] ||
			fail "$folder: status $(cat "$folder/status"): $(cat "$folder/out" "$folder/err")"
	done
}

# says FILE PATTERN…: fails unless each pattern is in a line of the file.
says() {
	file=$1
	shift
	for pattern; do
		grep -q -- "$pattern" "$file" ||
			{ grep '^Note\|^OMPP_\|^PAPI' "$file" >&2; fail "$file has no line with: $pattern"; }
	done
}

# known FOLDER PERCENT BUT COLUMN…: each region, but BUT, has the instructions that the program says
known() {
	folder=$1 percent=$2 but=$3
	shift 3
	grep -q '^expected ' "$folder/out" || fail "$folder: the program expects nothing"
	while read -r word region row n; do
		[ "$word" = expected ] && [ "${region%%:*}" != "$but" ] || continue
		region=$(echo "$region" | tr _ ' ')
		for column; do
			value=$(csv_field "$folder/report" "$region" "$row" "$column")
			near "$folder: $region, row $row: $column" "$value" "$n" "$percent" ||
				fail "$folder: $column is wrong"
		done
	done <"$folder/out"
}

# regions FOLDER: the rows of the program's regions with known counts, without times
regions() {
	awk '$1 == "expected" { print $2, $3 }' "$1/out" | while read -r region row; do
		region=$(echo "$region" | tr _ ' ')
		for column in PAPI_TOT_INS PAPI_TOT_CYC; do
			echo "$region $row $column $(csv_field "$1/report" "$region" "$row" "$column")"
		done
	done
}

# One processor: arithmetic; twice the same, nearly; and the same where the program reads counters itself.
cd one
ended first second calls access no_calls long taken pushed_out seven eight multiplex counters
for run in first second access; do
	[ ! -s $run/err ] || fail "one/$run: $(cat $run/err)"
	! grep '^Note' $run/report || fail "one/$run: a note"
	known $run 0.1 - PAPI_TOT_INS PAPI_TOT_CYC
	regions $run >$run/regions
done
# But for a few instructions of the library's own, as which visit took longest is not the same each time.
paste -d ' ' first/regions second/regions |
	awk '$NF - $(NF / 2) > 500 || $(NF / 2) - $NF > 500 { print; bad = 1 } END { exit bad || !NR }' ||
	fail "one: a second run differs: $(cat first/regions second/regions)"

# A counter wraps.
known long 0.1 - PAPI_TOT_INS PAPI_TOT_CYC

# Others take the PMU: before the run, and during it.
says taken/report '^OMPP_CTR1,"PAPI_TOT_INS, not counted: the PMU is in use by others' \
	'^OMPP_CTR2,"PAPI_TOT_CYC, exact"'
known taken 0.1 - PAPI_TOT_CYC
for i in 1 2; do
	says pushed_out/report "^OMPP_CTR$i,.*, scaled, counted [5678][0-9] % of the time"
done
known pushed_out 1 - PAPI_TOT_INS PAPI_TOT_CYC

# Where the program may read counters itself, no event of a region makes a system call; otherwise each makes one.
says first/report '^OMPP_CTR1,"PAPI_TOT_INS, exact, kernel.perf_user_access is 0, 1 is needed'
says access/report '^OMPP_CTR1,"PAPI_TOT_INS, exact"'
calls=$(grep -c 'read(' calls/trace) no_calls=$(grep -c 'read(' no_calls/trace)
events=$((2 * (1 + 250 + 500)))
near "instructions a cycle" "$(csv_field access/report "USER REGION:often" 1 PAPI_TOT_INS/PAPI_TOT_CYC)" 1 0.1 ||
	fail "one/access: OMPP_EVAL1"
[ $((calls - no_calls)) -ge $events ] && [ "$no_calls" -lt $((events / 2)) ] ||
	fail "$calls and $no_calls calls of read() for $events events of USER REGION"

# As many as there are counters; one more; and by turns of 4 ms, of which CRITICAL has but one.
known seven 0.1 - PAPI_TOT_INS PAPI_TOT_CYC r8 r11 $pmu/inst_retired/ $pmu/cpu_cycles/
! grep '^Note' seven/report || fail "one/seven: a note"
known eight 0.1 - PAPI_TOT_INS PAPI_TOT_CYC r8 r11 $pmu/inst_retired/ $pmu/cpu_cycles/
says eight/report "^OMPP_CTR8,.*event=8,rdpmc=1/, not counted: no counter of the PMU is left .*OMPP_MULTIPLEX=1"
known multiplex 10 CRITICAL PAPI_TOT_INS PAPI_TOT_CYC r8 r11 $pmu/inst_retired/ $pmu/cpu_cycles/
for i in 1 2 3 4 5 6 7 8; do
	says multiplex/report "^OMPP_CTR$i,\".*, scaled, .*counted [345678][0-9] % of the time"
done
cd ..

# Two processors.  A count is high by what QEMU adds of the other processor, as its clock interrupts: 0.2 % mostly, 0.54 %
# of 10,000,000 instructions once on a busy machine; and in LOOP, where both work at a time, more.
cd two
ended known example unplug unplug_access papi not_named named given user2 user3 dead sampling counters instructions misses
known known 2 LOOP PAPI_TOT_INS PAPI_TOT_CYC
for run in unplug unplug_access; do
	known $run 10 - PAPI_TOT_INS PAPI_TOT_CYC
done
! grep '^Note' known/report example/report unplug/report unplug_access/report || fail "two: a note"

# A real program: each thread has its own counts in each of its 20 critical sections of 2 ms.
for row in 0 1; do
	[ "$(csv_field example/report CRITICAL:table $row execC)" = 20 ] || fail "example: executions of row $row"
	for column in PAPI_TOT_INS PAPI_TOT_CYC; do
		[ "$(csv_field example/report CRITICAL:table $row $column)" -ge 1000000 ] || fail "example: $column"
	done
done

# Nobody disturbs a program that counts with PAPI itself, nor does it disturb.
known papi 2 - PAPI_TOT_INS
while read -r word instructions cycles; do
	[ "$word" = papi ] || continue
	near "what PAPI counts: instructions" "$instructions" 20000000 2 || fail "papi"
	near "what PAPI counts: cycles" "$cycles" 20000000 2 || fail "papi"
done <papi/out
grep -q '^papi ' papi/out || fail "papi: $(cat papi/out)"

# Hardware counters are of all memory, also when data is named.
of_all='of all memory, not of the named data'
says named/report "^OMPP_CTR1,\"PAPI_TOT_INS, exact, .*$of_all"
says given/report "^OMPP_CTR1,\"PAPI_TOT_INS, exact, $of_all: PAPI_DATA_ADDRESS: Not supported"
! grep "$of_all" not_named/report || fail "not_named: no data is named"

# An ordinary user: allowed; not allowed, with what the system counts anyway.
known user2 2 LOOP PAPI_TOT_INS
says user2/report '^OMPP_CTR1,"PAPI_TOT_INS, exact' '^OMPP_CTR2,"page-faults, exact"' \
	'^OMPP_CTR3,"context-switches, exact, by getrusage.*perf_event_paranoid is 2; set it to 1 or less"'
says user3/report '^OMPP_CTR1,"PAPI_TOT_INS, not counted.*perf_event_paranoid is 3; set it to 2 or less"' \
	'^OMPP_CTR2,"page-faults, exact, by getrusage' '^Note,.*PAPI_TOT_INS.*perf_event_paranoid is 3'
[ "$(csv_field user3/report "USER REGION:once" 0 PAPI_TOT_INS)" = - ] || fail "user3: a number that was not counted"
csv_field user3/report "USER REGION:once" 0 page-faults | grep -q '^[0-9]*$' || fail "user3: no page faults"

# Events that open but never count.
says dead/report '^OMPP_CTR1,"PAPI_TOT_INS, exact' '^OMPP_CTR2,"r1b, not counted.*never counts' \
	'^OMPP_CTR3,"PAPI_L1_DCM, not counted.*never counts' '^OMPP_CTR4,"L1D_CACHE_REFILL, not counted.*never counts' \
	'^Note,.*@tlb' '^OMPP_CTR5,"PAPI_TOT_INZ, not counted: .*did you mean PAPI_TOT_INS'
[ "$(csv_field dead/report "USER REGION:once" 0 r1b)" = - ] || fail "dead: a number that was not counted"
known dead 2 LOOP PAPI_TOT_INS

# `ompp counters`: of the hardware's events, those that QEMU counts can be counted, whatever opens.
cat >works <<END
PAPI_TOT_CYC
PAPI_TOT_INS
arm_ac57::CPU_CYCLES
arm_ac57::INST_RETIRED
$pmu/cpu_cycles/
$pmu/inst_retired/
cycles
instructions
END
awk -F, '$2 ~ /^(PAPI|libpfm4|perf)$/ && $5 == "yes" { print $1 }' counters/out | LC_ALL=C sort >works.found
same "ompp counters" works works.found
says counters/out '^cache-misses,perf,thread,-,no,.*does not count it' '^page-faults,kernel,thread,-,yes,'
says instructions/out '^ *kernel  *type 4, config 0x8$' '^ *here  *counts'
says misses/out '^ *kernel  *type 4, config 0x4' '^ *here  *not counted: .*never counts'

# Overflows.
while read -r event count period samples; do
	[ $((count / period - samples)) -ge -1 ] && [ $((count / period - samples)) -le 1 ] ||
		fail "$event: $samples samples of $count, one each $period"
done <sampling/out
[ "$(wc -l <sampling/out)" = 2 ] || fail "sampling: $(cat sampling/out)"
cd ..

# Instructions that this machine's PMU has, but does not count.
ended plain/dead
says plain/dead/report '^OMPP_CTR1,"PAPI_TOT_CYC, exact' '^OMPP_CTR2,"PAPI_TOT_INS, not counted' \
	'^OMPP_CTR3,"r08, not counted.*never counts'
