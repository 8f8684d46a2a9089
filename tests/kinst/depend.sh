# depend: dependency files by words for the preprocessor (-Wp,-MMD,FILE …), by words for the driver, and by both, are
# those of the plain compiler; and no other file is made.  Each time a third or a quarter of the commands.
. "$srcdir/tests/kinst/kinst.sh"
printf '%s\n' '#include <stdio.h>' '#include "inc.h"' 'int main(void)' '{' '#pragma omp parallel' '	puts(TEXT);' '	return 0;' '}' >a.c
echo '#define TEXT "a"' >inc.h
mkdir o

# made COMMAND…: the status, the files and what the dependency files have, from an empty state
made() {
	rm -rf o ./*.o ./*.d ./-M* ./*.mod ./*.smod
	mkdir o
	status=0
	"$@" 2>/dev/null || status=$?
	echo $status
	ls . o
	cat o/*.d ./*.d 2>/dev/null || :
}

for c in gcc clang; do
	command -v $c >/dev/null || continue
	while read -r words; do
		for output in '-o o/a.o' '' '-o a2.o'; do
			in_part 4 || continue
			made $c -fopenmp $words -c a.c $output >"$TMPDIR/want"
			made "$kinst" $c -fopenmp $words -c a.c $output >"$TMPDIR/got"
			same "$c $words $output" "$TMPDIR/want" "$TMPDIR/got"
		done
	done <<-'W'
		-Wp,-MMD,o/a.d
		-Wp,-MD,o/a.d
		-Wp,-MMD,o/a.d,-MT,o/a.o
		-Wp,-MMD,o/a.d -Wp,-MT,o/a.o
		-Wp,-MMD,o/a.d,-MT,p,-MQ,q
		-Wp,-MD,o/a.d,-MP
		-Wp,-MMD,o/a.d -Wp,-MP
		-Wp,-MP
		-Wp,-MT,x.o
		-MMD -Wp,-MP
		-MMD -Wp,-MT,x.o
		-MMD -MF o/a.d
		-MD -MF o/a.d -MP -MT y
		-MMD -MQ z -MF o/a.d
	W
done

# By the environment: each source is in it once, and no file of ours.
cp a.c b.c
sed -i '/pragma/d' b.c
for c in gcc clang; do
	command -v $c >/dev/null || continue
	for variable in DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES; do
		for words in '-c a.c' '-c a.c -o o/a.o' '-c b.c' '--access -c a.c' '-fsyntax-only a.c'; do
			options=
			case $words in --access*) options=--access words=${words#--access } ;; esac
			for value in x.d 'x.d target'; do
				in_part 3 || continue
				made env "$variable=$value" $c -fopenmp $words >"$TMPDIR/want"
				made env "$variable=$value" "$kinst" $options $c -fopenmp $words >"$TMPDIR/got"
				same "$variable=$value $c $options $words" "$TMPDIR/want" "$TMPDIR/got"
			done
		done
	done
done
for variable in CC_PRINT_OPTIONS CC_PRINT_HEADERS CC_LOG_DIAGNOSTICS CC_PRINT_PROC_STAT CC_PRINT_INTERNAL_STAT; do
	! command -v clang >/dev/null || env $variable=1 ${variable}_FILE="$PWD/log" "$kinst" clang -fopenmp -c a.c || fail $variable
	[ ! -e log ] || ! grep "$TMPDIR" log || fail "$variable: temporary files are in it"
done

# Fortran: files of INCLUDE lines, which the compiler finds and the preprocessor does not.
mkdir inc
echo 'integer, parameter :: k = 3' >inc/k.inc
printf '%s\n' '#include "m.h"' 'program p' '  include "k.inc"' '  integer :: i, s' '  s = 0' '!$omp parallel do reduction(+:s)' \
	'  do i = 1, 10' '    s = s + k' '  end do' '  print *, s' 'end program' >a.F90
echo '! nothing' >m.h
sed '/^!\$omp/d' a.F90 >b.F90
command -v gfortran >/dev/null && for source in a.F90 b.F90; do
	for words in -MMD -MD '-MMD -MF o/f.d' '-MMD -MT t' '-Wp,-MMD,o/f.d'; do
		for output in '' '-o o/a.o'; do
			in_part 3 || continue
			made gfortran -fopenmp -Iinc $words -c $source $output >"$TMPDIR/want"
			made "$kinst" gfortran -fopenmp -Iinc $words -c $source $output >"$TMPDIR/got"
			same "gfortran $words $source $output" "$TMPDIR/want" "$TMPDIR/got"
			grep -q 'k[.]inc' "$TMPDIR/want" || fail "gfortran $words $source $output: no k.inc"
		done
	done
done

# Fortran: the modules that a source makes, which are targets, and the file that the C library has for all sources
printf '%s\n' 'module base' 'interface' 'module subroutine s(n)' 'integer :: n' 'end subroutine' 'end interface' 'end module' \
	'submodule (base) inner' 'contains' 'module subroutine s(n)' 'integer :: n' '!$omp atomic' 'n = n + 1' 'end subroutine' \
	'end submodule' >c.F90
sed '/^!\$omp/d; s/base/other/; s/inner/deeper/' c.F90 >d.F90
printf '%s\n' 'program p' '!$omp parallel' '!$omp end parallel' end >e.f90
command -v gfortran >/dev/null && for sources in c.F90 e.f90 'd.F90 e.f90 c.F90'; do
	for words in -MD '-MMD -J o' '-MD -MF o/f.d -MP' '-MMD -MQ q' '-Wp,-MD,o/f.d'; do
		for output in '' '-o o/a.o'; do
			in_part 3 || continue
			made gfortran -fopenmp -cpp $words -c $sources $output >"$TMPDIR/want"
			made "$kinst" gfortran -fopenmp -cpp $words -c $sources $output >"$TMPDIR/got"
			same "gfortran $words $sources $output" "$TMPDIR/want" "$TMPDIR/got"
			[ "$words $sources$output" != '-MD c.F90' ] || grep -q '^.*base[.]mod.* c[.]o: c[.]F90' "$TMPDIR/want" ||
				fail "gfortran: no module: $(cat "$TMPDIR/want")"
		done
	done
done

# Fortran: a file that cannot be written is an error, and there is no object; one on the standard output is printed
printf '%s\n' 'module late' 'integer :: n' end 'subroutine s' '!$omp parallel' '!$omp end parallel' end >late.F90
printf '%s\n' 'program p' 'use late' '!$omp parallel' '!$omp end parallel' 'n = 1' end >user.F90
sed '/^!\$omp/d' late.F90 >late2.F90
sed '/^!\$omp/d' user.F90 >user2.F90
command -v gfortran >/dev/null && for options in '' --functions --access --engine=opari2; do
	while read -r words; do
		in_part 4 || continue
		made gfortran -fopenmp -cpp $words >"$TMPDIR/want"
		made "$kinst" $options gfortran -fopenmp -cpp $words >"$TMPDIR/got"
		same "kinst $options gfortran $words" "$TMPDIR/want" "$TMPDIR/got"
	done <<-'W'
		-c -MMD -MF none/x.d late.F90
		-S -MMD -MF none/x.d late.F90
		-c -MMD -MF none/x.d late.F90 user.F90
		-c -Wp,-MMD,none/x.d late.F90
		-MMD -MF none/x.d late.F90 user.F90 -o o/program
		-c -MMD -MF none/x.d user.F90 late.F90
		-c -MD user.F90 late.F90
		-c -MD user2.F90 late.F90
		-c -MD user.F90 late2.F90
		-c -MD user2.F90 late2.F90
		-MD user.F90 late.F90
		-c -MD -MF /dev/stdout late.F90
		-c -MD -MF /dev/stdout user.F90 late.F90
	W
done
if command -v gfortran >/dev/null; then
	! gfortran -fopenmp -cpp -Wall -c -MD -MF none/x.d late.F90 2>want || fail "gfortran writes none/x.d"
	! "$kinst" gfortran -fopenmp -cpp -Wall -c -MD -MF none/x.d late.F90 2>got || fail "none/x.d: kinst's status"
	same "none/x.d: what is said" want got
	"$kinst" --access gfortran -fopenmp -c -fdump-fortran-original late.F90 >want
	"$kinst" --access gfortran -fopenmp -c -fdump-fortran-original -MD late.F90 >got
	same "what the compile prints, with -MD" want got
fi
