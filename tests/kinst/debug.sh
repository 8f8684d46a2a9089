# debug: debug information, files of coverage and the program's own text name the original file and lines
. "$srcdir/tests/kinst/kinst.sh"
need readelf
mkdir src obj
small_c src/a.c
sed -i '1i #include <assert.h>' src/a.c

for c in gcc clang; do
	command -v $c >/dev/null || continue
	"$kinst" --strict $c -g -fopenmp -c src/a.c -o obj/a.o
	instrumented obj/a.o
	! readelf --debug-dump=info,line,str obj/a.o 2>/dev/null | grep -q "$TMPDIR\|/kinst" || fail "$c: a temporary name"
	readelf --debug-dump=info obj/a.o 2>/dev/null >info
	grep -q "DW_AT_name .*src/a.c" info || fail "$c: the file's name"
	grep -q "DW_AT_comp_dir.*$work" info || fail "$c: the folder"
	$c -g -fopenmp -c src/a.c -o plain.o
	for each in plain.o obj/a.o; do
		readelf --debug-dump=decodedline $each 2>/dev/null | awk '$1 ~ /(^|\/)a.c$/ { print $2 }' | sort -u >$(basename $each).lines
	done
	# no line that the original does not have; none of its lines is lost
	cp plain.o.lines want
	[ "$(sort -n a.o.lines | tail -n 1)" = "$(sort -n want | tail -n 1)" ] || fail "$c: the last line"
	[ -z "$(comm -23 want a.o.lines | sed 's/^/lost line /')" ] || fail "$c: $(comm -23 want a.o.lines)"
	# what the object says of its flags names no temporary file
	readelf -p .GCC.command.line obj/a.o | grep -q fopenmp || fail "$c: the flags are not recorded"
	! readelf -p .GCC.command.line obj/a.o | grep -q "$TMPDIR" || fail "$c: flags name a temporary file"
	cp obj/a.o first.o
	"$kinst" --strict $c -g -fopenmp -c src/a.c -o obj/a.o
	same "$c: compiled again" first.o obj/a.o
done

# the CTC strings have the full path and the lines
"$kinst" gcc -fopenmp -c src/a.c
strings a.o | grep -q "^[0-9]*\*regionType=parallelfor\*sscl=$work/src/a.c:6:6\*escl=$work/src/a.c:8:8\*" ||
	fail "CTC: $(strings a.o | grep regionType)"
strings a.o | grep '^[0-9]*\*regionType' | awk '{ split($0, part, "*"); exit length($0) != part[1] }' || fail "CTC: length"
# also where the compiler maps its own, as reports read the source there; only what is ours has the path then
for map in -ffile-prefix-map -fmacro-prefix-map; do
	"$kinst" gcc -g -fopenmp $map="$work"=/mapped -fdebug-prefix-map="$work"=/mapped -c src/a.c
	strings -n 1 a.o | grep -F "$work" >named
	grep -q "sscl=$work/src/a.c:6:6\*" named || fail "CTC with $map: $(cat named)"
	! grep -v 'regionType=' named || fail "$map: more than the CTC string has the path"
done
mkdir 'odd "name'
cp src/a.c 'odd "name/a.c'
"$kinst" --strict gcc -fopenmp -c 'odd "name/a.c'
strings a.o | grep -q 'sscl=.*/odd "name/a.c:6:6' || fail "a quote in the path"

# with hooks, whose objects lie elsewhere, what clang counts is beside the program as without kinst, also after a run
if command -v clang >/dev/null && clang --coverage src/a.c -o prog 2>/dev/null; then
	for options in --coverage '-fprofile-arcs -ftest-coverage' -ftest-coverage; do
		for build in clang "$kinst --access clang"; do
			find . -name '*.gc*' -delete
			# shellcheck disable=SC2086
			$build -fopenmp $options src/a.c -o prog || fail "$build $options"
			OMP_NUM_THREADS=1 ./prog >/dev/null
			[ ! -e beside ] || mv beside before
			find . -name '*.gc*' | sort >beside
		done
		grep -q . before || fail "clang $options makes no files"
		same "clang $options" before beside
		rm before beside
	done
fi
clean
