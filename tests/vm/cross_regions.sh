# cross_regions: kinst and libompp on another architecture: the report of the fake clock byte by byte; regions, hooks,
# 16-byte atomics as on this machine; saved profiles are read here as there, whole and damaged.
# PART=1/4 is aarch64, then riscv64, powerpc64le, s390x; by itself it takes the first.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/cross.sh"

machines='aarch64 riscv64 powerpc64le s390x'
part=${PART:-1/4}
# shellcheck disable=SC2086
machine=$(printf '%s\n' $machines | sed -n "${part%/*}p")
cross_need "$machine"
[ "$(uname -m)" = x86_64 ] || skip 'this machine is not x86_64, with which others are compared'
cross_build libompp.la libompp_openmp.la libompp_access.la ompp include/ompp.h

! $cross-nm -D --undefined-only "$cross_folder/.libs/libompp.so" | grep ' __atomic_' || fail 'libompp needs libatomic'

# Functions in assembler that others call by their addresses begin with "bti c": compilers mark the whole library as one in
# which all of them do, where they are told to (-mbranch-protection).
if [ "$machine" = aarch64 ]; then
	called='ompp_gomp_trampolines ompp_heap_dlopen ompp_heap_dlsym ompp_heap_dlvsym ompp_GOMP_doacross_wait
		ompp_GOMP_doacross_ull_wait'
	$cross-objdump -d --no-show-raw-insn "$cross_folder/.libs/libompp.so" | awk -v called="$(echo $called)" '
		BEGIN { n = split(called, names, " "); for (i in names) wanted["<" names[i] ">:"] = 1 }
		begins { if ($2 $3 != "btic") { print begins, $0; bad = 1 } begins = "" }
		$2 in wanted { begins = $2; n-- }
		END { exit bad || n }' || fail 'functions in assembler without "bti c"'

	# Hooks that samples replace are a branch behind "bti c" (runtime/adapters/access_pair.h), or they are not patched.
	$cross-objdump -d --no-show-raw-insn "$cross_folder/.libs/libompp_access.a" | awk '
		$2 ~ /^<.*>:$/ { name = substr($2, 2, length($2) - 3); at = 0; next }
		name && NF > 1 && ++at == 1 { first[name] = $2 $3 }
		name && NF > 1 && at == 2 { second[name] = $2 }
		END {
			for (name in first) {
				hook = name
				if (!sub(/^ompp_sampled_/, "", hook) || !(hook in first))
					continue # objdump shows one of two names
				n++
				if (first[hook] != "btic" || second[hook] != "b") {
					print hook ": " first[hook] " " second[hook]
					bad = 1
				}
			}
			exit bad || n < 20
		}' || fail 'hooks that cannot be patched'

	# Where the processor guards branch targets in libompp and in the program, all that leads from one to the other does so
	# as without a guard: calls of libgomp and of the C library that go to libompp first, tasks, hooks.  An entry of a PLT
	# that is filled at its first call jumps where no linker puts a mark unasked.
	echo 'int triple(int n) { return 3 * n; }' >triple.c
	$cross-gcc -shared -fPIC triple.c -o triple.so
	set -- $cross-gcc -mbranch-protection=standard -O1 -fopenmp "$srcdir/tests/vm/guard.c" -ldl
	"$@" -o guard && kinst --strict --access "$@" -o guard_built || fail 'guard.c does not build'
	printf '%s\n' 'refused by signal 4' 'tasks 34, order 1830' 'library 42' 'threads 1, signals 1' >want
	export OMPP_OBJECTS=all OMPP_OUTFORMAT=CSV OMPP_QUIET=1 OMPP_PROFILE=0 LD_BIND_NOW=1
	cross_run ./guard ./triple.so >got 2>err || fail "guard: status $?: $(cat err)"
	same 'the plain program, guarded' want got
	OMPP_REPORTFILE=guard.csv cross_run -E LD_PRELOAD="$cross_folder/.libs/libompp.so" ./guard ./triple.so >got 2>err ||
		fail "guard, measured: status $?: $(cat err)"
	same 'the measured program, guarded' want got
	OMPP_REPORTFILE=guard_built.csv cross_run ./guard_built ./triple.so >got 2>err ||
		fail "guard, by kinst: status $?: $(cat err)"
	same 'the program by kinst, guarded' want got
	unset OMPP_OBJECTS OMPP_PROFILE LD_BIND_NOW
	for name in guard guard_built; do
		tasks=$(awk -F, '/^##BEG R[0-9]/ { getline; type = $2 } type == "TASKEXEC" && $1 == "SUM" { n += $3 } END { print n }' $name.csv)
		[ "$tasks" = 108 ] || fail "$name: $tasks tasks"
		grep -q '^R[0-9]*,ORDERED,' $name.csv || fail "$name: no ordered"
	done
	grep -q '^(stack),[1-9]' guard_built.csv || fail 'guard_built: no accesses'
fi

cp "$srcdir/tests/golden/fake.c" .
kinst --strict $cross-gcc -fopenmp fake.c -o fake || fail 'fake.c does not build'
export OMPP_OUTFORMAT=PLAIN,CSV OMPP_QUIET=1 OMPP_REPORTFILE=made
OMPP_CLOCK=fake OMPP_COLLAPSE_LOCKS=1 OMP_NUM_THREADS=1 \
	OMPP_VIEW=overview,callgraph,flat,callpath,overhead,properties cross_run ./fake || fail 'fake'
sed "s|$work/||" made.csv >made.csv.short
same 'the text report' "$srcdir/tests/golden/fake.txt" made.txt
same 'the csv report' "$srcdir/tests/golden/fake.csv" made.csv.short

# An object of the other byte order is not looked into; kinst says so, and there are no hooks.
wide=-DWIDE access=--access
case $machine in
powerpc64le) wide= ;; # there gcc itself calls the library for 16 bytes
s390x) wide= ;;
esac
cp "$srcdir/tests/vm/cross.c" .
mkdir here there
env -u KINST_LIBDIR -u KINST_INCLUDEDIR kinst $access gcc -O1 $wide -fopenmp cross.c -o here/cross ||
	fail 'cross.c does not build here'
kinst $access $cross-gcc -O1 $wide -fopenmp cross.c -o there/cross 2>err || { cat err; fail 'cross.c does not build'; }
export OMPP_OUTFORMAT=CSV OMPP_PROFILE=1 OMPP_VIEW=flat,data OMPP_REPORTFILE=report

# As users have it: kinst finds libompp in the folder of the machine's name, and the plug-in that it builds for the compiler
# counts loops as a whole there, as hooks do.
mkdir library library/$cross loops hooks
ln -s "$builddir"/.libs/libompp* library
ln -s "$cross_folder"/.libs/libompp* library/$cross
if [ "$machine" != s390x ] && [ -e "$($cross-gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	(
		unset KINST_INCLUDEDIR
		export KINST_LIBDIR="$work/library" KINST_PLUGINDIR="$srcdir/opari/hooks/plugin"
		kinst --build-plugin=$cross-gcc 2>loops.err || { cat loops.err; fail 'the plug-in is not built'; }
		kinst --verbose $access $cross-gcc -O1 $wide -fopenmp cross.c -o loops/cross 2>loops.err || { cat loops.err; fail 'by loops'; }
		grep -q "^kinst: cross.c: accesses are counted by $work/library/kinst/loops_" loops.err || fail "$(grep '^kinst:' loops.err)"
		kinst --strict --access=hooks $cross-gcc -O1 $wide -fopenmp cross.c -o hooks/cross || fail 'by hooks'
	) || exit 1
	$cross-nm loops/cross | grep -q ompp_access_run || fail 'no loops are counted as a whole'
	for at in loops hooks; do
		(cd $at && cross_run ./cross >out) || fail "the program in $at"
		awk -F, '/^##BEG data obj/, /^##END data obj/ { if ($1 ~ /^(from|to|wide)$/) print }' $at/report >$at/counts
	done
	grep -q '^to,6000,5000,0,' loops/counts || fail "counted by loops: $(cat loops/counts)"
	same 'the counts by loops and by hooks' hooks/counts loops/counts
	same 'what the program says' hooks/out loops/out
fi
(cd here && ./cross >out) || fail 'the program here'
(cd there && cross_run ./cross >out) || fail 'the program there'
same 'what the program says' here/out there/out
[ -z "$wide" ] || grep -q ' 1$' here/out || fail "the sum of 16 bytes: $(cat here/out)"

# Executions of each region, of those that each thread has also by thread, and all columns of the named objects.
for at in here there; do
	awk -F, '/^R[0-9]+,/ { region = $1 "," $2 "," $4 }
		$1 == "SUM" || $1 ~ /^[0-9]+$/ && region ~ /PARALLEL|CRITICAL/ { print region "," $1 "," $3 }' $at/report >$at/rows
	awk -F, '/^##BEG data obj/ { on = 1 } /^##END data obj/ { on = 0 }
		on && ($1 == "from" || $1 == "to" || $1 == "wide")' $at/report >$at/objects
	[ -s $at/objects ] || fail "$at: no objects"
done
if [ "$machine" = s390x ]; then
	grep -q 'cross.o: not an object of this machine; its accesses are not counted' err || fail "kinst says: $(cat err)"
	grep -q '^from,-,-,' there/objects || fail "objects that nothing counted: $(cat there/objects)"
else
	[ ! -s err ] || fail "kinst says: $(cat err)"
	grep -q '^to,6000,5000,0,11000,88000,' here/objects || fail "arithmetic: $(cat here/objects)"
	same 'the counts of accesses' here/objects there/objects
fi
grep -q 'PARALLEL LOOP,.*,SUM,20$' here/rows && grep -q 'TASK,.*,SUM,12$' here/rows || fail "rows: $(cat here/rows)"
same 'the executions of regions' here/rows there/rows

# What the table of architectures in libompp(7) says, as the machine says it.
clock=cntvct why='the clock that programs can read (cntvct_el0) has 62 MHz here, and 500 are needed'
[ "$machine" = aarch64 ] || clock=monotonic why='this architecture has no clock'
(
	cd there
	OMPP_VIEW=general OMPP_PROFILE=0 OMPP_SAMPLE=hook OMPP_OBJECTS=all OMPP_REPORTFILE=general \
		cross_run ./cross >out 2>general.err || fail 'the program there'
	grep -qx "Clock,$clock" general || fail "$(grep '^Clock' general)"
	grep -q "^Note,\"\{0,1\}OMPP_SAMPLE=hook: $why" general || fail "notes: $(grep '^Note' general)"
	blocks='OMPP_OBJECTS=all: blocks of memory are not named: on this architecture'
	[ $machine = aarch64 ] || grep -q "^Note,\"\{0,1\}$blocks" general || fail "notes: $(grep '^Note' general)"
	! cross_run "$cross_folder/ompp" run --emulate ./cross >emulated 2>&1 || fail 'ompp run --emulate'
	grep -q '^ompp: --emulate: this machine is no x86-64' emulated || fail "ompp run --emulate: $(cat emulated)"
)

# A profile of either machine is read by the other's ompp, with the same report; so are damaged ones.
cp here/*.ompp here.ompp
cp there/*.ompp there.ompp
n=$(wc -c <there.ompp)
head -c $((n / 2)) there.ompp >half.ompp
head -c 20 there.ompp >begin.ompp
{ head -c $((n / 3)) there.ompp; printf 'damaged'; tail -c +$((n / 3 + 8)) there.ompp; } >changed.ompp
{ printf '\217ompp\r\n\n\0\0\0\1'; tail -c +13 there.ompp; } >swapped.ompp # a version in the other byte order
for name in here there half begin changed swapped; do
	for format in text csv json; do
		view=--view=all
		[ $format != json ] || view=
		status=0 status_there=0
		ompp report $view --format=$format $name.ompp >read.here 2>err.here || status=$?
		cross_run "$cross_folder/ompp" report $view --format=$format $name.ompp >read.there 2>err.there || status_there=$?
		[ $status = $status_there ] || fail "$name: ompp ends with $status here and with $status_there there: $(cat err.there)"
		same "the $format report of $name.ompp" read.here read.there
		same "what ompp says of $name.ompp" err.here err.there
		case $name in
		begin | swapped) [ $status != 0 ] && [ ! -s read.here ] && grep -q '^ompp: ' err.here || fail "$name is read" ;;
		half | changed) [ -s read.here ] && grep -q 'damaged from byte' err.here || fail "$name: $(cat err.here)" ;;
		*) [ $status = 0 ] && [ -s read.here ] || fail "$name: status $status: $(cat err.here)" ;;
		esac
	done
done
