# clang: options of clang that a prepared text does not get on with: modules, coverage of the source, maps of names
. "$srcdir/tests/kinst/kinst.sh"
need clang
cat >a.c <<'C'
#include <stdio.h>
#include "inc.h"
int main(void)
{
	int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
	n += ONE;
	printf("%d\n", n);
	return 0;
}
C
echo '#define ONE 1' >inc.h

# Modules: built as plainly, measured or with a reason.
printf '%s\n' 'module M { header "inc.h" export * }' >module.modulemap
for options in '-fmodules' '-fmodules -fno-implicit-modules' '-fmodules -fcxx-modules -x c++'; do
	clang -fopenmp $options -fmodules-cache-path=modules -c a.c -o plain.o 2>/dev/null || continue
	"$kinst" clang -fopenmp $options -fmodules-cache-path=modules -c a.c -o a.o 2>said || fail "$options: $(cat said)"
	! grep 'error: ' said || grep -q '^kinst: a.c: not instrumented: ' said || fail "$options: $(cat said)"
	[ -s a.o ] || fail "$options: no object"
done
rm module.modulemap

# Coverage: the plain object, and the reason, also where hooks are asked for.
clang -fopenmp -fprofile-instr-generate -fcoverage-mapping a.c -o plain
for options in '' --access; do
	"$kinst" $options clang -fopenmp -fprofile-instr-generate -fcoverage-mapping a.c -o ours 2>said || fail "coverage: $(cat said)"
	grep -q '^kinst: a.c: not instrumented: -fcoverage-mapping is given' said || fail "coverage $options: $(cat said)"
	[ -z "$options" ] || grep -q '^kinst: a.c: not hooked: -fcoverage-mapping is given' said || fail "coverage $options: $(cat said)"
	for program in plain ours; do
		LLVM_PROFILE_FILE=$program.raw ./$program >$program.out
		objcopy -O binary --only-section=__llvm_covmap --set-section-flags __llvm_covmap=alloc,readonly $program $program.map
	done
	same "coverage $options: output" plain.out ours.out
	cmp plain.map ours.map || fail "coverage $options: other regions"
done
"$kinst" clang -fopenmp -fcoverage-mapping -fno-coverage-mapping -c a.c -o a.o
instrumented a.o

# A piece of a compilation database.
for words in '-c a.c' '-c a.c -o out.o' '-S a.c' 'a.c -o prog'; do
	for options in '' --access; do
		clang -fopenmp -O1 -MJ plain.json $words
		"$kinst" $options clang -fopenmp -O1 -MJ ours.json $words
		sed 's/plain[.]json/ours.json/; s/"output": "[^"]*-[0-9a-f]*[.]o"/"output": "temporary"/' plain.json >want
		sed 's/"output": "[^"]*-[0-9a-f]*[.]o"/"output": "temporary"/' ours.json >got
		same "-MJ $options $words" want got
	done
done
instrumented out.o

# Names: what debug information has is what the plain compile's has.
names() {
	objdump --dwarf=info "$1" | sed -n 's/.*DW_AT_\(name\|comp_dir\|decl_file\).*: \([^ ]*\.[ch]\|\/[^ ]*\)$/\1 \2/p' |
		grep -v ' /usr' | sort -u
}
for map in "-ffile-prefix-map=$PWD=/x" "-fdebug-prefix-map=$PWD=/x" "-ffile-prefix-map=$PWD/=" \
	"-fdebug-prefix-map=/no=/y -ffile-prefix-map=$PWD=/z" "-fmacro-prefix-map=$PWD=/x" ''; do
	for source in a.c "$PWD/a.c"; do
		clang -fopenmp -g $map -c $source -o plain.o
		"$kinst" clang -fopenmp -g $map -c $source -o a.o || fail "$map $source"
		instrumented a.o
		names plain.o >want
		names a.o >got
		[ -s want ] || fail "$map $source: no names"
		same "$map $source: names" want got
	done
done

# Raw strings of several lines, after which clang's preprocessor counts lines twice, or not where it writes a marker.
cat >raw.cpp <<'C'
const char *a = R"(1
2
3)", *b = R"x(
4
)x"; int line = __LINE__;
int main()
{
	int n = 0;
#pragma omp parallel num_threads(2)
	n = 1;
	const char *c = R"(
1
2
3
4
5
6
7
8
9
10)"; (void)c;
#pragma omp critical
	n++;
	const char *d = R"(
# 1
)";

#pragma omp single
	n += d[1] + line;
	return n != 42;
}
C
clang++ -fopenmp raw.cpp -o plain && ./plain || fail 'raw.cpp, plainly'
"$kinst" clang++ -fopenmp raw.cpp -o raw && ./raw || fail 'raw.cpp'
"$builddir/ompp" regions raw | sed 's|.*/||' >got
printf '%s\n' 'raw.cpp:9-10 PARALLEL' 'raw.cpp:22-23 CRITICAL' 'raw.cpp:28-29 SINGLE' >want
same 'raw strings: lines' want got

# What clang says of the text behind a directive, and of directives as attributes, is said.
cat >behind.c <<'C'
int f(int n)
{
	int s = 0;
#pragma omp parallel num_threads(2) ) extra
	s++;
#pragma omp barrier extra
#pragma omp atomic, extra
	s += n;
	return s;
}
C
cat >attributes.cpp <<'C'
int f(int n)
{
	int s = n;
	[[omp::directive(parallel num_threads(2))]]
	s++;
	[[omp::sequence(directive(parallel), directive(for))]]
	for (int i = 0; i < n; i++)
		;
	return s;
}
C
for words in 'clang -Wall' 'clang -Weverything' 'clang++ -std=c++17 -Wopenmp-51-extensions -fopenmp-version=50' 'clang++ -std=c++17 -Weverything'; do
	case $words in clang++*) source=attributes.cpp ;; *) source=behind.c ;; esac
	$words -fopenmp -c $source -o warned.o 2>want || fail "$words: $(cat want)"
	"$kinst" $words -fopenmp -c $source -o warned.o 2>said || fail "$words: $(cat said)"
	grep -v '^kinst: ' said >got || :
	grep -q 'warning: .*\[-W\(extra-tokens\|openmp-51-extensions\)\]' want || fail "$words: clang has no warning: $(cat want)"
	same "warnings: $words" want got
done
clean

# -dumpdir, which clang knows since 17: before, it takes what follows it for a file
mkdir dumps dumps/plain dumps/kinst
cp behind.c dumps/first.c
sed 's/int [a-z]*(int n)/int second(int n)/' behind.c >dumps/second.c
for words in '-c ../first.c -dumpdir obj/' '../first.c ../second.c -dumpdir obj/ -c' '-S -dumpdir obj/ ../first.c' \
	'../first.c -dumpdir none/ -c' '-c -dumpbase ../first.c'; do
	for side in plain kinst; do
		rm -rf dumps/$side
		mkdir -p dumps/$side/obj
		(
			cd dumps/$side
			run=clang
			[ $side = plain ] || run="$kinst clang"
			status=0
			$run -fopenmp $words 2>../$side.said || status=$?
			echo $status
			find .
		) >dumps/$side.made
	done
	same "clang $words" dumps/plain.made dumps/kinst.made
	case $words in *first.c*second.c*) continue ;; esac # clang warns once for both
	sort dumps/plain.said >want
	grep -v '^kinst: ' dumps/kinst.said | sort >got || :
	same "clang $words: what is said" want got
done
clean
