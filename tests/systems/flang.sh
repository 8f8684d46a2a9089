# flang: LLVM's Fortran compiler, as Debian has it: what it builds with kinst does what it does plainly, says what it says
# plainly, and is measured.  It is unpacked, not installed, as only one OpenMP library of LLVM can be.
# PART=2/3 is one of them: flang 16, 19, 22.
. "$srcdir/tests/systems/systems.sh"
. "$srcdir/tests/interpose/measure.sh"
kept=$builddir/tests/systems/flang

# fetch VERSION: unpacks it once.
fetch() {
	version=$1
	root=$kept/$version
	mkdir -p "$kept"
	exec 8>"$kept/lock"
	flock 8
	if [ ! -e "$root/done" ]; then
		rm -rf "$root"
		mkdir -p "$root/packages"
		packages="flang-$version libflang-$version-dev clang-$version libclang-cpp$version libllvm$version
			libclang-common-$version-dev libomp-$version-dev"
		packages="$packages $(apt-cache depends "libomp-$version-dev" 2>/dev/null | sed -n 's/^ *Depends: \(libomp5-.*\)/\1/p')"
		[ "$version" -lt 22 ] || packages="$packages libmlir-$version liboffload-$version"
		(cd "$root/packages" && apt-get download $packages) >fetch.log 2>&1 ||
			skip "cannot fetch Debian's flang-$version: $(grep '^E:' fetch.log | head -1)"
		for package in "$root"/packages/*.deb; do
			dpkg -x "$package" "$root"
		done
		rm -r "$root/packages"
		touch "$root/done"
	fi
	exec 8>&-
	llvm=$root/usr/lib/llvm-$version
	export LD_LIBRARY_PATH="$llvm/lib:$root/usr/lib/$(gcc -print-multiarch)" LIBRARY_PATH="$llvm/lib" PATH="$llvm/bin:$PATH"
}

part=${PART:-1/3}
fetch "$(echo 16 19 22 | cut -d ' ' -f "${part%/*}")"
flang=flang-new
command -v flang-new >/dev/null || flang=flang
$flang -v 2>&1 | grep -q "flang.* version $version\." || fail "it is $($flang -v 2>&1 | head -1)"
printf '%s\n' 'program p' '!$omp parallel' '!$omp end parallel' 'end program' >none.f90
$flang -fopenmp none.f90 -o none 2>log && ./none || skip "flang $version does not build a program with OpenMP: $(head -1 log)"

# Each program plainly and by kinst: the same status of the compile, its messages, the output and status of the run, and
# calls in it.  Not: times in the output, and BLOCK, which flang 16 does not have in what kinst writes.
n=0
for source in "$srcdir"/examples/*.f90 "$srcdir"/tests/corpus/cases/*.f90 "$srcdir"/tests/corpus/cases/*.f "$srcdir"/tests/runtime/nesting/*.f90; do
	for run in $flang "kinst $flang"; do
		side=${run%% *}
		rm -f ./*.mod prog
		status=0
		KINST_FLAGS=--no-access $run -fopenmp -O1 "$source" -o prog >said.$side 2>&1 || status=$?
		grep '^kinst: ' said.$side >ours || :
		sed -i '/^kinst: /d' said.$side
		# Names of temporary objects; flang's own crash.
		! grep -q 'ld: \|^Stack dump:\|^PLEASE submit' said.$side || : >said.$side
		echo "status $status" >>said.$side
		run_status=0
		[ ! -e prog ] || timeout 60 ./prog >out 2>/dev/null || run_status=$?
		[ $run_status != 124 ] || fail "flang $version: $run $source does not end"
		[ ! -e prog ] || { grep -v 'execT' out || :; echo "status $run_status"; } >out.$side
		[ -e prog ] && [ "$side" = $flang ] || continue
		# as it is, by what its OpenMP library tells
		run_status=0
		measure told.csv timeout 100 ompp run ./prog >out || run_status=$?
		{ grep -v 'execT' out || :; echo "status $run_status"; } >out.told
		[ $run_status = 124 ] || same "flang $version: $source by ompp run: output" out.$flang out.told
		! grep -E 'left without their end|came without a begin' told.csv || fail "flang $version: $source by ompp run"
	done
	same "flang $version: $source: messages" said.$flang said.kinst
	[ -e prog ] || continue
	same "flang $version: $source: output" out.$flang out.kinst
	if grep -q 'not instrumented' ours; then
		[ "$version" -lt 19 ] && grep -q 'not yet implemented' ours || fail "flang $version: $source: $(cat ours)"
		continue
	fi
	n=$((n + 1))
done
least=20
[ "$version" -ge 19 ] || least=8 # flang 16 itself crashes on many
[ $n -ge $least ] || fail "flang $version: $n programs"

# All constructs are executed as often by what the library tells as by kinst, combined ones as their parts.  To flang
# sections are a loop and a workshare is a single; flang 22 makes loops and barriers of a workshare.
of_parts() {
	awk -F'|' '
		{ n[$1] = $2 }
		END {
			n["PARALLEL"] += n["PARALLEL LOOP"] + n["PARALLEL SECTIONS"] + n["PARALLEL WORKSHARE"]
			n["LOOP"] += n["PARALLEL LOOP"] + n["SECTIONS"] + n["PARALLEL SECTIONS"]
			n["SINGLE"] += n["WORKSHARE"] + n["PARALLEL WORKSHARE"]
			n["MASKED"] += n["MASTER"]
			split("PARALLEL|LOOP|SINGLE|MASKED|BARRIER|CRITICAL|FLUSH|ORDERED|TASK|TASKEXEC|TASKWAIT", types, "|")
			for (i in types) print types[i] "|" n[types[i]]
		}' | LC_ALL=C sort
}
if $flang -fopenmp -O1 "$srcdir/tests/runtime/constructs.f90" -o plain >/dev/null 2>&1; then
	KINST_FLAGS=--no-access kinst $flang -fopenmp -O1 "$srcdir/tests/runtime/constructs.f90" -o prog >said 2>&1 || fail "constructs.f90: $(cat said)"
	measure prog.csv ./prog >/dev/null
	measure told.csv ompp run ./plain >/dev/null
	counts prog.csv | of_parts >expected
	counts told.csv | of_parts >found
	grep -q '^TASKEXEC|20$' found || fail "constructs.f90: $(cat found)"
	if [ "$version" -ge 22 ]; then
		sed -i '/^BARRIER\|^LOOP\|^SINGLE/d' expected found
	fi
	same "flang $version: executions of constructs" expected found
fi

# Regions at the places of the source, also of one that is preprocessed, in fixed form, and beside one of C.
cat >m.F90 <<'F'
#define N 100
module m
contains
  subroutine work(n)
    integer, intent(inout) :: n
    integer :: i
    !$omp parallel do reduction(+:n)
    do i = 1, N
      n = n + i
    end do
    !$omp critical
    n = n + 1
    !$omp end critical
  end subroutine
end module
F
cat >p.f <<'F'
      program p
      use m
      integer k
      k = 0
      call work(k)
C$OMP PARALLEL
C$OMP SINGLE
      k = k + 1
C$OMP END SINGLE
C$OMP END PARALLEL
      print *, k
      end
F
for flags in '-O2' '-g' '-O2 -J modules'; do
	mkdir -p modules
	$flang -fopenmp $flags -I modules -c m.F90 2>/dev/null && $flang -fopenmp -I modules p.f m.o -o plain 2>log || fail "plainly: $(cat log)"
	./plain >want
	kinst $flang -fopenmp $flags -I modules -c m.F90 2>said && kinst $flang -fopenmp -I modules p.f m.o -o prog 2>>said || fail "$flags: $(cat said)"
	! grep '^kinst: ' said || fail "$flags"
	OMPP_REPORTFILE=report.txt ./prog >got
	same "flang $version $flags: output" want got
	for place in 'm.F90 (7-10) PARALLEL LOOP' 'm.F90 (11-13) (unnamed) CRITICAL' 'p.f (6-10) PARALLEL' 'p.f (7-9) SINGLE'; do
		grep -qF "$place" report.txt || fail "flang $version $flags: no $place: $(grep '^R0' report.txt | head -5)"
	done
	rm -f ./*.mod modules/* ./*.o report.txt
done

# Errors are flang's own.
printf '%s\n' 'program p' '!$omp parallel num_thReads(2)' 'x = = 1' '!$omp end parallel' 'end program' >wrong.f90
for run in $flang "kinst $flang"; do
	! $run -fopenmp -c wrong.f90 2>said."${run%% *}" || fail "$run takes an error"
done
same 'an error' said.$flang said.kinst

# Which way it takes, and what counts no accesses.
kinst --verbose $flang -fopenmp -c m.F90 2>said || fail "--verbose: $(cat said)"
grep -q "^kinst: m.F90: Fortran by flang $version\.[0-9.]*: calls by the engine kinst$" said &&
	grep -qx 'kinst: m.F90: accesses are not counted: flang puts in no hooks' said || fail "--verbose: $(cat said)"

# No hooks, in a sentence; what hands its text to another compiler is passed on, in a sentence.
kinst --access $flang -fopenmp -c none.f90 2>said && grep -q 'none.f90: not hooked: flang puts in no hooks' said || fail "--access: $(cat said)"
if command -v flang-to-external-fc >/dev/null; then
	kinst flang-to-external-fc -fopenmp -c none.f90 2>said || :
	grep -q '^kinst: flang-to-external-fc: passed on as it is: not a compiler that kinst knows' said || fail "external: $(cat said)"
fi
# flang leaves files of its own where it crashes.
ls "$TMPDIR" | grep '^kinst' >left || :
[ ! -s left ] || fail "temporary files are left: $(cat left)"
