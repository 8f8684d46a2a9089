# once: sources that can be read once are built as plainly, and measured
. "$srcdir/tests/kinst/kinst.sh"
need gfortran
cat >a.c <<'C'
#include <stdio.h>
int main(void)
{
	int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
	n++;
	printf("%s:%d: %d\n", __FILE__, __LINE__, n);
	return 0;
}
C
cp a.c a.cpp
cat >a.f90 <<'F'
program a
  integer :: n = 0
  !$omp parallel num_threads(2) reduction(+:n)
  n = n + 1
  !$omp end parallel
  print *, n
end program
F

# again COMMAND…: the compiler and what is behind it, plainly and by kinst, with $source in a pipe at the descriptor
# $pipe: the same status and messages
again() {
	for side in plain kinst; do
		rm -f $side.out
		run=
		[ $side = plain ] || run=$kinst
		status=0
		case $pipe in
		stdin) cat "$source" | timeout 60 $run "$@" -o $side.out 2>$side.said || status=$? ;;
		3) cat "$source" | timeout 60 $run "$@" -o $side.out 3<&0 </dev/null 2>$side.said || status=$? ;;
		esac
		echo $status >$side.status
	done
	same "$* <$source: status" plain.status kinst.status
	# What the compiler cannot read again it does not quote, nor find its columns.
	for side in plain kinst; do
		grep 'rror: ' $side.said | sed 's/\(:[0-9]*\):[0-9]*: /\1: /' >$side.errors || :
	done
	same "$* <$source: messages" plain.errors kinst.errors
}
for compiler in gcc clang g++ clang++ gfortran; do
	command -v $compiler >/dev/null || continue
	case $compiler in
	gcc | clang) languages='c:c cpp-output:i' ;;
	g++ | clang++) languages='c++:cpp c++-cpp-output:ii' ;;
	gfortran) languages=f95:f90 ;;
	esac
	for language in $languages; do
		x=${language%:*} suffix=${language#*:}
		case $suffix in
		i) $compiler -fopenmp -E a.c >a.i ;;
		ii) $compiler -fopenmp -E a.cpp >a.ii ;;
		esac
		sed 's/n++;/n++ bad;/; s/n + 1/n + 1 bad/' a.$suffix >bad.$suffix
		for path in /dev/stdin /dev/fd/0 /proc/self/fd/0 /dev/fd/3; do
			pipe=stdin
			[ $path != /dev/fd/3 ] || pipe=3
			source=bad.$suffix
			again $compiler -fopenmp -c -x $x $path
			[ "$(cat plain.status)" != 0 ] || fail "$compiler takes bad.$suffix"
			source=a.$suffix
			again $compiler -fopenmp -c -x $x $path
			[ -e kinst.out ] || fail "$compiler -x $x $path: $(cat kinst.status kinst.said)"
			instrumented kinst.out
			again $compiler -fopenmp -x $x $path
			./plain.out >want
			./kinst.out >got
			same "$compiler -x $x $path: the program's output" want got
			grep -q '2$' got || fail "$compiler -x $x $path: $(cat got)"
		done
	done
done

# piped COMMAND…: the compiler and its words, in which PIPE is a pipe that has $text: plainly and by kinst the same
# status and messages (but for what is quoted, as above), and the same names in out.o apart from libompp's
piped() {
	for side in plain kinst; do
		rm -f out.o
		run=
		[ $side = plain ] || run="timeout 60 $kinst"
		status=0
		printf '%s\n' "$text" | $run "$@" >$side.printed 2>$side.said 3<&0 || status=$?
		echo $status >$side.status
		sed '/^ *[0-9]* |/d; /^ *|/d' $side.said >$side.errors
		[ ! -e out.o ] || nm out.o | awk '{ print $NF }' | grep -v -i 'pomp\|ompp\|kinst\|barrier\|^[.]L' | sort >$side.names
		[ -e out.o ] || echo none >$side.names
	done
	for kind in status printed errors names; do
		same "$* ($text): $kind" plain.$kind kinst.$kind
	done
}
cat >needs.c <<'C'
int x(void)
{
	int s = 0;
#pragma omp parallel reduction(+ : s)
	s += VALUE;
	return s;
}
C
sed '/pragma/d' needs.c >plain.c
cp needs.c needs.cpp
for compiler in gcc clang g++ clang++; do
	command -v $compiler >/dev/null || continue
	suffix=c
	case $compiler in *++) suffix=cpp ;; esac
	for path in /dev/stdin /dev/fd/0 /proc/self/fd/0 /dev/fd/3; do
		# Files that the command includes.
		for option in "-include $path" "-include$path" "-imacros $path" "-imacros$path" "--include $path" "--include=$path"; do
			for source in needs.$suffix plain.c; do
				text='#define VALUE 7'
				piped $compiler -Wall -fopenmp $option -c $source -o out.o
				[ "$(cat kinst.status)" = 0 ] || fail "$compiler $option $source: $(cat kinst.said)"
			done
			[ ! $path = /dev/stdin ] || {
				text='#error wrong'
				piped $compiler -fopenmp $option -c needs.$suffix -o out.o
				[ "$(cat kinst.status)" != 0 ] || fail "$compiler $option: an error"
			}
		done
		# Response files: clang reads them from a pipe, gcc does not.
		for text in "-DVALUE=1 -fopenmp -c needs.$suffix -o out.o" '-DVALUE=1 -c plain.c -o out.o' '-dumpversion' \
			'-DVALUE=1 -shared -fPIC plain.c -o out.o' '-c none.c -o out.o'; do
			piped $compiler @$path
		done
	done
	# Probes compile nothing at all.
	text=
	for x in c c++ cpp-output; do
		for words in '-c -o out.o' '-fopenmp -c -o out.o' '-S -o out.o' '-Werror -Wall -fopenmp -c -o out.o' '-o out.o'; do
			piped $compiler -x $x $words /dev/null
			[ "$words" = '-o out.o' ] || "$kinst" --strict $compiler -x $x $words /dev/null || fail "$compiler -x $x $words: --strict"
		done
	done
	piped $compiler -include /dev/null -DVALUE=1 -fopenmp -c needs.$suffix -o out.o
	piped $compiler @/dev/null -DVALUE=1 -fopenmp -c needs.$suffix -o out.o
done
text=
piped gfortran -c -x f95 -fopenmp /dev/null -o out.o

mkfifo source.pipe
# A named pipe is the compiler's alone.
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	(cat a.c >source.pipe) &
	timeout 60 "$kinst" $compiler -fopenmp -x c source.pipe -o named 2>said || fail "$compiler: a named pipe: $(cat said)"
	wait
	same "$compiler: a named pipe" said - <<'W'
kinst: source.pipe: not instrumented: it can be read only once, and the compiler has to; give a file, or - for standard input
W
	./named | grep -q '2$' || fail "$compiler: a named pipe: the program"
done
# So is one that the command includes, and a response file of clang's.
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	(echo '#define VALUE 7' >source.pipe) &
	timeout 60 "$kinst" $compiler -fopenmp -include source.pipe -c needs.c -o out.o 2>said || fail "$compiler: -include of a named pipe: $(cat said)"
	wait
	grep -q '^kinst: source.pipe: not instrumented: ' said || fail "$compiler: -include of a named pipe: $(cat said)"
done
command -v clang >/dev/null && {
	(echo '-DVALUE=1 -c plain.c -o out.o' >source.pipe) &
	timeout 60 "$kinst" clang @source.pipe 2>said || fail "clang: a named pipe of words: $(cat said)"
	wait
}
! "$kinst" --strict gcc -fopenmp -x c source.pipe -o named 2>said || fail '--strict takes a named pipe'
clean
