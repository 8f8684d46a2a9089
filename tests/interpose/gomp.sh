# gomp: a program that kinst did not build is measured by ompp run: all constructs that make calls are counted as in the
# same program built by kinst, in C and in Fortran, with the program's own output and status
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/interpose/measure.sh"

# What makes other calls than its own: in C, all parallel regions below are plain ones to GCC, as their loops are static,
# and sections in them are sections; a static loop's barrier is a BARRIER, and so is a single's.
of_calls() {
	awk -F'|' -v n_static="$1" -v n_single="$2" '
		{ n[$1] = $2 }
		END {
			n["PARALLEL"] += n["PARALLEL LOOP"] + n["PARALLEL SECTIONS"] + n["PARALLEL WORKSHARE"]
			n["SECTIONS"] += n["PARALLEL SECTIONS"]
			n["LOOP"] -= n_static
			n["BARRIER"] += n_static + n_single
			split("PARALLEL LOOP|PARALLEL SECTIONS|PARALLEL WORKSHARE|WORKSHARE|ATOMIC|FLUSH|MASTER|USER REGION", no, "|")
			for (i in no) delete n[no[i]]
			for (type in n) print type "|" n[type]
		}' | LC_ALL=C sort
}

# check LANGUAGE N_STATIC N_SINGLE COMPILER…: of the two loops one is static, executed N_STATIC times by all threads.
check() {
	language=$1 n_static=$2 n_single=$3
	shift 3
	"$@" -w -g -o plain
	kinst "$@" -w -g -o ours
	./plain >want
	measure ours.csv ./ours >/dev/null
	measure plain.csv ompp run ./plain >got || fail "$language: status $?"
	grep -q OMPP_PROFILE said || fail "$language: $(cat said)"
	same "$language: output" want got
	counts ours.csv | of_calls "$n_static" "$n_single" >expected
	counts plain.csv >found
	same "$*: counts" expected found
	grep -q 'files that kinst did not build' plain.csv || fail "$language: the report does not say how it was measured"
}

for level in -O0 -O2; do
	check C 20 20 $CC $level -fopenmp "$srcdir/tests/runtime/constructs.c"
	[ -z "$GFORTRAN" ] || check Fortran 20 40 $GFORTRAN $level -fopenmp "$srcdir/tests/runtime/constructs.f90"
done

# Places: at -O0 the lines of the directives; without debug information functions, without symbols the file.
$CC -g -O0 -fopenmp "$srcdir/tests/runtime/constructs.c" -o placed
$CC -O0 -fopenmp "$srcdir/tests/runtime/constructs.c" -o bare
strip -o stripped bare
for program in placed bare stripped; do
	measure $program.csv ompp run ./$program >/dev/null
done
for construct in parallel:PARALLEL critical:CRITICAL barrier:BARRIER task:TASK taskwait:TASKWAIT; do
	line=$(grep -n "pragma omp ${construct%:*}" "$srcdir/tests/runtime/constructs.c" | grep -v 'for\|sections' | head -n 1 | cut -d: -f1)
	awk -F, -v type="${construct#*:}" -v line="$line" '/^R[0-9]+,/ && $2 == type && $3 ~ /constructs.c$/ && $4 == line { ok = 1 } END { exit !ok }' \
		placed.csv || fail "$construct: no region at line $line: $(grep "^R[0-9]*,${construct#*:}," placed.csv)"
done
grep -q '^R[0-9]*,PARALLEL,,0,0,main._omp_fn.0' bare.csv || fail "no debug information: $(grep '^R[0-9]*,' bare.csv)"
grep -q '^R[0-9]*,PARALLEL,,0,0,stripped+0x[0-9a-f]*' stripped.csv || fail "no symbols: $(grep '^R[0-9]*,' stripped.csv)"
grep -q '^R[0-9]*,CRITICAL,.*,name' bare.csv || fail "a critical section by its name: $(grep '^R[0-9]*,' bare.csv)"

# All kinds of loops, cancellation, taskloops, doacross, teams, scope: each so often as arithmetic says, by three threads.
$CC -g -O1 -fopenmp "$srcdir/tests/interpose/many.c" -o many
rc=0
./many >want || rc=$?
[ $rc = 3 ] || fail "many: $rc"
rc=0
measure many.csv ompp run ./many >got || rc=$?
[ $rc = 3 ] || fail "many by ompp run: $rc"
same 'many: output' want got
counts many.csv >found
# a barrier behind each single; 29 iterations are posted, and 28 wait for another one
cat >expected <<'END'
BARRIER|6
LOOP|21
ORDERED|57
PARALLEL LOOP|9
PARALLEL|9
SINGLE|6
TASKEXEC|44
TASKGROUP|1
TASKLOOP|2
TASKWAIT|2
TASKYIELD|1
TASK|33
TEAMS|1
END
same 'many: counts' expected found

# Nothing is measured of what kinst did not build where that is not wanted.
OMPP_INTERPOSE=0 measure off.csv ompp run ./many >/dev/null || :
[ ! "$(counts off.csv)" ] || fail "OMPP_INTERPOSE=0: $(counts off.csv)"

# Tasks of more constructs than there is room for: what is not seen is said, and the program does the same.
awk 'BEGIN {
	print "#include <stdio.h>\nstatic int n;\nint main(void)\n{\n#pragma omp parallel num_threads(2)\n#pragma omp single\n\t{"
	for (i = 0; i < 600; i++) print "#pragma omp task\n\t\t{\n#pragma omp atomic\n\t\t\tn++;\n\t\t}"
	print "\t}\n\tprintf(\"%d\\n\", n);\n\treturn 0;\n}" }' >tasks.c
$CC -fopenmp tasks.c -o tasks
measure tasks.csv ompp run ./tasks >got
[ "$(cat got)" = 600 ] || fail "600 tasks: $(cat got)"
counts tasks.csv | grep TASK >found
printf '%s\n' 'TASKEXEC|512' 'TASK|600' >expected
same '600 constructs of tasks' expected found
grep -q 'tasks of more than 512 constructs' tasks.csv || fail 'the tasks that are not seen are not said'

# Of a program of which kinst built a part, each construct is counted once, whichever part that is.
printf '%s\n' 'CRITICAL|4' 'LOOP|4' 'PARALLEL|4' >expected
for ours in main library; do
	own=$CC other=$CC
	[ $ours = library ] || own="kinst $CC"
	[ $ours = main ] || other="kinst $CC"
	$other -g -O1 -fopenmp -fPIC -shared -DOWN=second -DOTHER=first "$srcdir/tests/interpose/part.c" -o libpart.so
	$own -g -O1 -fopenmp -DOWN=first -DOTHER=second -DMAIN "$srcdir/tests/interpose/part.c" -o parts -L. -lpart -Wl,-rpath,"$PWD"
	measure parts.csv ./parts || fail "kinst built the $ours: $?"
	counts parts.csv >found
	same "kinst built the $ours: counts" expected found
done
