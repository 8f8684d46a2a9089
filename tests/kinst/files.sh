# files: names, places and contents of what the compiler leaves are those of the plain compiler
. "$srcdir/tests/kinst/kinst.sh"

sources() {
	small_c src/a.c
	small_c a.c
	small_c "with blank/it's.c"
	cp src/a.c src/a.cc
	echo 'int unused; int used(void) { return 1; }' >src/b.c
	echo 'const char *text = FOO;' >src/d.c
	printf '%s\n' '-fopenmp -c "with blank/it'"'"'s.c"' '-o obj/from\ file.o' >arguments
}

for c in gcc clang; do
	command -v $c >/dev/null || continue
	for arguments in "-c src/a.c" "-c src/a.c -o obj/z.o" "src/a.c src/b.c -o prog" "src/a.c" \
			 "a.c src/b.c -o obj/prog" "-S src/a.c" "-c src/a.c src/b.c"; do
		both $c "-fopenmp -MD $arguments"
		both $c "-fopenmp -MMD -g -fprofile-arcs -gsplit-dwarf $arguments"
	done
	both $c "-fopenmp -MD -MF x.d -c src/a.c"
	both $c "-fopenmp -MD -MT target -MQ 'q\$q' -MP -MF obj/x.d -c src/a.c -o obj/a.o"
	both $c "-fopenmp -Wp,-MD,obj/w.d -c src/a.c"
	both $c "-fopenmp -Wp,-MMD,obj/w.d -c src/a.c -o obj/a.o"
	both $c "-fopenmp -c 'with blank/it'\\''s.c'"
	both $c "@arguments"
	both $c "-fopenmp -xc -c - <src/a.c"
	both $c "-fopenmp -xc -c -o obj/q.o - <src/a.c"
	both $c "-fopenmp -xc - -o prog <src/a.c"
	both $c "-fopenmp -x c++ -c src/a.c"
	both $c "-fopenmp -E src/a.c"
	both $c "-fopenmp -M src/a.c"
	both $c "-fopenmp -MM src/a.c"
	both $c "-fopenmp -fsyntax-only src/a.c"
	both $c "-fopenmp -c src/d.c -DFOO='\"x y\"'"
	both $c "-fopenmp -include src/b.c -I src -c src/a.c"
	both $c "-fopenmp -U__linux__ -std=c99 -pedantic -c src/a.c"
	both $c "-fopenmp -flto -O2 src/a.c src/b.c -o prog"
	both $c "-fopenmp -fPIC -shared src/a.c -o liba.so"
	both $c "-fopenmp -r src/a.c src/b.c -o r.o"
	both $c "-fopenmp -c -o/dev/null src/a.c"
	both $c "-fopenmp -fstack-usage -c src/a.c -o obj/z.o"
	both $c "-fopenmp -pthread -g3 -c src/a.c"
done
for c in gcc clang; do
	command -v $c >/dev/null || continue
	for arguments in "-c src/a.c" "-c src/a.c -o obj/z.o" "src/a.c src/b.c -o prog"; do
		both $c "-fopenmp -save-temps $arguments"
		both $c "-fopenmp -save-temps=obj $arguments"
	done
done
if command -v clang >/dev/null; then
	for arguments in "-emit-llvm -save-temps -c src/a.c" "-emit-llvm -save-temps=obj -S src/a.c -o obj/z.ll" \
			 "-flto -emit-llvm -save-temps -c src/a.c"; do
		both clang "-fopenmp $arguments"
	done
	for save in "-save-temps -c src/a.c" "-save-temps=obj src/a.c -o obj/prog"; do
		for run in clang "$kinst --access clang"; do
			rm -rf src obj
			mkdir src obj
			small_c src/a.c
			$run -fopenmp -flto $save 2>/dev/null
			find . -path ./plain -prune -o -path ./kinst -prune -o -path ./tmp -prune -o -name '*.[a-z]*' \
				-name 'a.*' -print | LC_ALL=C sort >"$([ "$run" = clang ] && echo lto.want || echo lto.got)"
			rm -f a.*
		done
		same "--access -flto $save" lto.want lto.got
	done
fi
if command -v g++ >/dev/null; then
	both g++ "-fopenmp -MD -save-temps -c src/a.cc"
	both g++ "-fopenmp src/a.c src/b.c -o prog"
fi

# a dump that kinst reads, too, is left as well
if command -v gfortran >/dev/null; then
	clean
	printf '%s\n' 'program p' 'print *, 1' 'end program' >f.f90
	"$kinst" --access gfortran -O1 -fopenmp -fdump-tree-optimized -c f.f90
	"$kinst" --access gfortran -O1 -fopenmp -fdump-tree-optimized=named -c f.f90
	ls f.f90.*t.optimized named >/dev/null || fail 'the dumps are not left'
fi

# the saved preprocessed text is the original's
rm -rf *
mkdir src "with blank" tmp
sources
gcc -fopenmp -save-temps -c src/a.c && mv a.i plain.i
"$kinst" gcc -fopenmp -save-temps -c src/a.c
same "a.i" plain.i a.i

# a source folder that cannot be written to, from outside
chmod -R a-w src
"$kinst" --strict gcc -fopenmp src/a.c -o prog
./prog >out
echo "4950 src/a.c" >want
same "__FILE__ and the result" want out
chmod -R u+w src
clean
