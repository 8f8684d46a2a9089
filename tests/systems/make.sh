# make: a Makefile with generated dependencies, objects in another folder and sources by VPATH, in parallel
. "$srcdir/tests/systems/systems.sh"
mkdir "the source" build-plain build-kinst
cp "$project"/*.[ch] "$project"/*.[ch]pp "the source"
ln -s "the source" src
cat >Makefile <<'M'
VPATH = ../src
CPPFLAGS = -MMD -MP -MF $(@:.o=.d) -DNAME='"make $$1 \"x\" it'\''s"'
CFLAGS = -fopenmp -O1 -pipe -Wall -Wextra
objects = o/main.o o/work.o
all: c cxx response several
c: $(objects)
	$(CC) -fopenmp $^ -o $@
o/%.o: %.c
	@echo compile $(notdir $<)
	$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
o/%.o: %.cpp
	@echo compile $(notdir $<)
	$(CXX) -MD -MF o/$*.d $(CFLAGS) -c -o $@ $<
cxx: o/main_cxx.o o/halves.o
	$(CXX) -fopenmp $^ -o $@
o/main_cxx.o: main.cpp
	@echo compile $(notdir $<)
	$(CXX) -MMD $(CFLAGS) -c -o $@ $<
several: main.c work.c
	$(CC) $(CFLAGS) -DNAME='"s"' $^ -o $@
arguments: Makefile
	echo "-fopenmp -DNAME='\"r s\"' -O1 @more" >arguments
	echo "-I'../the source' ../src/main.c '../src/work.c'" >more
response: arguments main.c work.c
	$(CC) @arguments -o $@
-include $(wildcard o/*.d)
M
for side in plain kinst; do
	prefix=
	[ $side = plain ] || prefix=$builddir/kinst-
	(
		cd build-$side
		mkdir o
		cp ../Makefile .
		chmod -R a-w "../the source"
		run() {
			"$MAKE" "$@" CC=${prefix}gcc CXX=${prefix}g++ >make.log 2>&1 || { cat make.log; fail "make, $side"; }
			sed -n 's/^compile //p' make.log | sort >compiled
		}
		run -j4
		[ "$(wc -l <compiled)" = 4 ] || fail "$side: compiled $(cat compiled)"
		run
		[ ! -s compiled ] || fail "$side: compiled again: $(cat compiled)"
		chmod -R u+w "../the source"
		for header in work.h sum.hpp; do
			sleep 0.02
			touch "../the source/$header"
			run
			cp compiled $header.compiled
		done
		# a header that is gone is no error, as -MP asks
		cat o/*.d | sed 's/[^ ]*kinst[^ ]*//g' >../depend-$side
		ls -R . | grep -v 'log$' >../files-$side
	)
done
[ "$(cat build-plain/work.h.compiled)" = "main.c
work.c" ] || fail "after a changed header: $(cat build-plain/work.h.compiled)"
for file in work.h.compiled sum.hpp.compiled; do
	same "built again" build-plain/$file build-kinst/$file
done
same "dependencies" depend-plain depend-kinst
same "files" files-plain files-kinst
for program in c several response; do
	build-plain/$program >plain.out
	# a region is the place as the command gave it
	measured src/main.c src/work.c src/work.h -- build-kinst/$program
	same "output of $program" plain.out out
done
build-plain/cxx >plain.out
measured src/main.cpp src/halves.cpp src/sum.hpp -- build-kinst/cxx
same "output of cxx" plain.out out
clean

# what configure scripts ask, and commands that compile nothing of ours
cd "the source"
printf '.globl other\nother: ret\n.section .note.GNU-stack,""\n' >other.s
for compiler in gcc g++ gfortran clang clang++; do
	for arguments in --version -dumpmachine -dumpversion -print-search-dirs -print-file-name=libc.so -print-prog-name=ld \
			 -print-multiarch -v "-E -dM -x c /dev/null" "-c other.s -o x.o" "-###" "-qversion" -V "" \
			 "-fopenmp -E -x c /dev/null -o -" "-fopenmp -M -x c /dev/null" "-no-such-option"; do
		p=0 k=0
		$compiler $arguments >p.said 2>&1 </dev/null || p=$?
		"$builddir/kinst-$compiler" $arguments >k.said 2>&1 </dev/null || k=$?
		sed -i 's/kinst-//' k.said
		[ $p = $k ] || fail "$compiler $arguments: status $p and $k"
		same "$compiler $arguments" p.said k.said
	done
done

# preprocessed text, with and without markers, is compiled as such; the places are the markers'
for compiler in gcc clang; do
	$compiler -fopenmp -DNAME='"i"' -E main.c -o main.i
	$compiler -fopenmp -E work.c -o work.txt
	$compiler -fopenmp main.i -x cpp-output work.txt -o plain && ./plain >plain.out
	"$builddir/kinst-$compiler" -fopenmp main.i -x cpp-output work.txt -o program || fail "$compiler: preprocessed"
	measured main.c work.c work.h -- ./program
	same "$compiler: preprocessed" plain.out out
	"$builddir/kinst-$compiler" -fopenmp -S main.i work.c && "$builddir/kinst-$compiler" -fopenmp main.s work.s other.s -o program ||
		fail "$compiler: by way of -S"
	measured main.c work.c work.h -- ./program
	same "$compiler: by way of -S" plain.out out
	sed 's/NAME/"stdin"/' main.c >changed.c
	"$builddir/kinst-$compiler" -fopenmp -I. -xc - work.c -o program <changed.c || fail "$compiler: standard input"
	./program | grep -qx 'stdin 446' || fail "$compiler: standard input"
done
clean
