# malformed: what the compiler refuses is refused by kinst, too, with the same status and in the compiler's own words, and
# warnings are the same.  Each source has one directive that is wrong, in its words, its place or its statement
# (malformed.awk); compilers take some of them.
# MALFORMED=3/400 is the third of 400 parts of all these sources for all compilers; by itself the test takes the first.
. "$srcdir/tests/kinst/kinst.sh"
part=${MALFORMED:-1/400}

# alike COMPILER LANGUAGE [OPTION…]: compiles the sources of this part plainly and by kinst.
alike() {
	compiler=$1
	language=$2
	shift 2
	command -v "$compiler" >/dev/null || return 0
	mkdir "$compiler$*"
	cd "$compiler$*"
	awk -v language="$language" -v part="$part" -f "$srcdir/tests/kinst/malformed.awk" >list
	while read -r file what; do
		p=0 k=0
		"$compiler" -fopenmp "$@" -c "$file" -o p.o >p.said 2>&1 || p=$?
		n_left=$(ls "$TMPDIR" | wc -l)
		"$kinst" "$compiler" -fopenmp "$@" -c "$file" -o k.o >k.said 2>&1 || k=$?
		# What kinst says of constructs that it leaves alone is no matter here, nor are the addresses and the command
		# that a compiler prints when it crashes.
		sed -i '/^kinst: .*: not measured: /d; /^0x[0-9a-f]* /d' p.said k.said
		[ $p = $k ] || { cat "$file" k.said; fail "$compiler $*: $file, $what: status $p and $k"; }
		grep -q '^Stack dump:' p.said && grep -q '^Stack dump:' k.said || cmp -s p.said k.said || { cat "$file"; same "$compiler $*: $file, $what: what is said" p.said k.said; }
		# A compiler that crashes leaves its source and its command behind: by kinst as many of them.
		[ "$(ls "$TMPDIR" | wc -l)" = $((2 * n_left)) ] || fail "$compiler $*: $file, $what: plainly $n_left files are left: $(ls "$TMPDIR")"
		rm -rf "$TMPDIR"/*
		[ $p != 0 ] && n_refused=$((n_refused + 1)) || n_taken=$((n_taken + 1))
		rm -f p.o k.o
	done <list
	cd ..
}

n_refused=0 n_taken=0
alike gcc c
alike g++ c++
alike gfortran fortran
alike clang c
alike clang++ c++
alike clang++ c++ -Wall -Wextra -pedantic
echo "$n_refused sources refused, $n_taken taken, all as plainly"
[ $n_refused -ge $n_taken ] && [ $n_taken -ge 10 ] || fail "$n_refused sources refused, $n_taken taken"
clean

# What is right is compiled once, so that this costs nothing.
printf '%s\n' 'void g(int *a, int n)' '{' '	int s = 0, x = 0;' '#pragma omp parallel for reduction(+:s), schedule(static, 4) num_threads(2)' \
	'	for (int i = 0; i < n; i++)' '		s += a[i];' '#pragma omp parallel private(x) default(shared)' '	{' '#pragma omp single nowait' '		x = 1;' \
	'#pragma omp critical (name)' '		s++;' '#pragma omp barrier' '#pragma omp sections' '		{' '#pragma omp section' '			x++;' '#pragma omp section' \
	'			x--;' '		}' '		if (n)' '#pragma omp atomic capture' '			{ x = s; s++; }' '		else' '#pragma omp task firstprivate(x) untied' \
	'			g(a, 0);' '#pragma omp taskwait' '	}' '	*a = s;' '}' >right.c
cp right.c right.cc
printf '%s\n' 'subroutine g(a, n)' 'integer :: n, a(n), i, s' 's = 0' '!$omp parallel do reduction(+:s), schedule(static, 4) num_threads(2)' 'do i = 1, n' \
	's = s + a(i)' 'end do' '!$omp end parallel do' '!$OMP PARALLEL &' '!$omp& DEFAULT(SHARED)' '!$omp single' 's = s + 1' '!$omp end single nowait' \
	'!$omp critical (name)' 's = s + 1' '!$omp end critical (name)' '!$omp end parallel' 'end subroutine' >right.f90
for compiler in gcc clang g++ clang++ gfortran; do
	command -v $compiler >/dev/null || continue
	case $compiler in
	*++) file=right.cc ;;
	gfortran) file=right.f90 ;;
	*) file=right.c ;;
	esac
	"$kinst" --verbose $compiler -fopenmp -c $file -o right.o 2>steps || fail "$compiler: $(cat steps)"
	! grep -q judged steps || fail "$compiler: compiled twice: $(cat steps)"
done
clean
