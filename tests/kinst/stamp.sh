# stamp: kinst --stamp keeps in the program what git says of the sources, or the user's text, and profiles have it; objects
# stay the same; without git, a repository, a commit or its history the program is built all the same, and kinst says why
. "$srcdir/tests/lib.sh"
need git
need python3
own_git
unset KINST_FLAGS
kinst=$builddir/kinst
OMP_NUM_THREADS=2 OMPP_OVERWRITE=1 OMPP_QUIET=1
export OMP_NUM_THREADS OMPP_OVERWRITE OMPP_QUIET

sources() {
	printf '#include <stdio.h>\nint main(void)\n{\n\tint n = 0;\n#pragma omp parallel reduction(+:n)\n\tn++;\n\treturn n < 1;\n}\n' >"$1/a.c"
}

# stamp KEY: what the profile of ./a has, as Python writes it
stamp() {
	rm -f ./*.ompp ./*.txt
	./a || fail 'the program fails'
	ompp report --format=json a.*.ompp >json
	python3 -c 'import json, sys; print(ascii(json.load(open("json"))["run"][sys.argv[1]]))' "$1"
}

# is KEY VALUE
is() {
	got=$(stamp "$1")
	[ "$got" = "$2" ] || fail "$1 is $got, not $2"
}

# build OPTION…: builds ./a, with what kinst says in the file said
build() {
	"$kinst" "$@" gcc -fopenmp a.c -o a 2>said || { cat said; fail "$*: the build fails"; }
}

commit() {
	git add a.c
	git commit -q --allow-empty -m "$1"
}

# itself PROGRAM: the path of a program, not of a link to ccache with its name, which would search for it in PATH
itself() {
	IFS=:
	for folder in $PATH; do
		if [ -x "$folder/$1" ] && [ "$(basename "$(readlink -f "$folder/$1")")" != ccache ]; then
			echo "$folder/$1"
			return
		fi
	done
	fail "no $1"
}

mkdir repository
cd repository
sources .
build
is stamp None
is commit None
is commit_unix_s None

# no repository, none that git can be asked about, no commit
build --stamp
grep -q '^kinst: --stamp: no stamp is kept: .*not a git repository.*; build in a git repository, or give --stamp=TEXT$' said || { cat said; fail 'no repository'; }
[ "$(grep -c 'no stamp is kept' said)" = 1 ] || fail 'it is said more than once'
is stamp None
git init -q
build --stamp
grep -q '^kinst: --stamp: no stamp is kept: ' said || { cat said; fail 'no commit'; }
is stamp None
mkdir ../tools
for tool in gcc as ld cat; do
	ln -s "$(itself $tool)" ../tools/$tool
done
(PATH=$work/tools && build --stamp)
grep -q '^kinst: --stamp: no stamp is kept: git cannot be run: ' said || { cat said; fail 'no git'; }
is stamp None

# a commit, a tag, a commit behind it, a change
GIT_COMMITTER_DATE='1600000000 +0000' commit one
build --stamp
[ ! -s said ] || { cat said; fail 'something is said of a whole repository'; }
hash=$(git rev-parse HEAD)
is commit "'$hash'"
is commit_unix_s 1600000000
is is_modified False
is stamp "'$(echo "$hash" | cut -c1-12)'"
git tag v1
build --stamp
is stamp "'v1'"
ompp report --view=general a.*.ompp | grep -q "^Built From *: v1, commit $hash\$" || fail 'the report does not tell it'
echo same >b
git add b
GIT_COMMITTER_DATE='1600000100 +0000' commit two
build --stamp
is stamp "'v1-1-g$(git rev-parse HEAD | cut -c1-12)'"
# a file whose time alone is not the index's is no change, and nothing to write the index for
touch -d 2001-01-01 b
index=$(cksum <.git/index)
build --stamp
is is_modified False
[ "$index" = "$(cksum <.git/index)" ] || fail 'the index was written where nothing was changed'
echo '/* more */' >>a.c
touch -d 2001-01-01 a.c
index=$(cksum <.git/index)
build --stamp
is stamp "'v1-1-g$(git rev-parse HEAD | cut -c1-12)-dirty'"
is is_modified True
ompp report --view=general a.*.ompp | tr -s ' \n' ' ' | grep -q 'with changes since' || fail 'the report does not tell changes'
[ "$index" = "$(cksum <.git/index)" ] || fail 'the index was written'

# strange tags: no mark of theirs is taken for ours, and nothing of them is run
for tag in 'v"2"' "v'2'" 'v$(id>x)`id>y`' 'v2-dirty' 'v%s%n' 'ü-√' 'v2;{}"+1'; do
	git commit -q -a --allow-empty -m "$tag"
	git tag "$tag"
	build --stamp
	is stamp "$(python3 -c 'import sys; print(ascii(sys.argv[1]))' "$tag")"
	is is_modified False
done
[ ! -e x ] && [ ! -e y ] || fail 'a tag was run'

# worktrees and shallow clones
git worktree add -q ../tree HEAD
(cd ../tree && build --stamp && is stamp "$(python3 -c 'print(ascii("v2;{}\"+1"))')") || fail 'a worktree'
git commit -q --allow-empty -m three
git clone -q --depth 1 "file://$work/repository" ../shallow 2>/dev/null
cd ../shallow
build --stamp
grep -q 'this is a shallow clone; fetch the history' said || { cat said; fail 'a shallow clone'; }
is stamp "'$(git rev-parse HEAD | cut -c1-12)'"
is commit "'$(git rev-parse HEAD)'"
cd ../repository

# the user's text, by the variable, too; what strangers write is made clean, and cut between characters
build --stamp=release-7
is stamp "'release-7'"
is commit None
KINST_FLAGS=--stamp=nightly build
is stamp "'nightly'"
KINST_FLAGS=--stamp build
is commit "'$(git rev-parse HEAD)'"
build "--stamp=$(printf 'a\n"b\\c\033[31m??/')"
is stamp "$(python3 -c 'print(ascii("a\\n\"b\\c\\x1b[31m??/"))')"
build "--stamp=$(python3 -c 'print("x" + 200 * "\u221a")')"
grep -q 'the stamp is cut to 255 bytes' said || { cat said; fail 'a long stamp'; }
is stamp "$(python3 -c 'print(ascii("x" + 84 * "\u221a"))')"
status=0
"$kinst" --stam gcc a.c 2>said || status=$?
[ $status = 2 ] && grep -q 'did you mean --stamp?' said || { cat said; fail 'the nearest name'; }

# objects have no stamp, so that a cache keeps them from commit to commit; the program has the same bytes each time
"$kinst" gcc -fopenmp -c a.c -o plain.o
"$kinst" --stamp=one gcc -fopenmp -c a.c -o one.o
same 'an object' plain.o one.o
for i in 1 2; do
	"$kinst" --stamp gcc -fopenmp one.o -o a
	cp a again$i
done
same 'a program that is linked twice' again1 again2
if command -v ccache >/dev/null; then
	own_ccache
	for text in one two; do
		KINST_FLAGS=--stamp=$text ccache "$builddir/kinst-gcc" -fopenmp -c a.c -o a.o || fail 'ccache'
	done
	[ "$(ccache --print-stats | awk '/^cache_miss/ { print $2 }')" = 1 ] || fail "another stamp compiles again: $(ccache -s)"
	KINST_FLAGS='--stamp=two --simd' ccache "$builddir/kinst-gcc" -fopenmp -c a.c -o a.o || fail 'ccache'
	[ "$(ccache --print-stats | awk '/^cache_miss/ { print $2 }')" = 2 ] || fail 'another option does not compile again'
	# words are what they are with their quotes, and where --stamp stands makes no difference
	for flags in '--simd --stamp=three' '--stamp=four --simd' "'--functions=a --simd'" '--functions=a --simd'; do
		KINST_FLAGS=$flags ccache "$builddir/kinst-gcc" -fopenmp -c a.c -o a.o || fail 'ccache'
	done
	[ "$(ccache --print-stats | awk '/^cache_miss/ { print $2 }')" = 4 ] || fail "words and their quotes: $(ccache -s)"
fi

# the program's own stamp holds, and without one that of a library
printf 'int f(void)\n{\n\tint n = 0;\n#pragma omp parallel reduction(+:n)\n\tn++;\n\treturn n;\n}\n' >f.c
printf 'int f(void);\nint main(void)\n{\n\treturn f() < 1;\n}\n' >main.c
"$kinst" --stamp=library gcc -fopenmp -fPIC -shared f.c -o libf.so
for own in '' --stamp=program; do
	"$kinst" $own --functions=main gcc -fopenmp main.c -L. -lf -Wl,-rpath,"$PWD" -o a || fail 'a program with a library'
	is stamp "'$([ "$own" ] && echo program || echo library)'"
done
"$kinst" --stamp=static gcc -fopenmp -static a.c -o a 2>said || { cat said; fail 'a static program'; }
is stamp "'static'"
if command -v "${CLANG:-clang}" >/dev/null && [ "${CLANG:-clang}" != no ]; then
	"$kinst" --stamp=clang "${CLANG:-clang}" -fopenmp a.c -o a || fail 'clang'
	is stamp "'clang'"
fi
