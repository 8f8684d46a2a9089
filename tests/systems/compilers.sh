# compilers: other versions of clang, as Debian has them: what they build with kinst does what it does plainly, and is
# measured; also code for devices, and the plug-in that counts whole loops.  They are unpacked, not installed, as only one of their OpenMP libraries can be.
# PART=2/5 is one of them: clang 13, 15, 16, 19, 22.
. "$srcdir/tests/systems/systems.sh"
. "$srcdir/tests/systems/offload_of"
kept=$builddir/tests/systems/compilers

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
		packages="clang-$version libclang-cpp$version libllvm$version libclang-common-$version-dev libclang1-$version
			libomp-$version-dev lld-$version llvm-$version llvm-$version-dev llvm-$version-linker-tools clang-tools-$version"
		packages="$packages $(apt-cache depends "libomp-$version-dev" 2>/dev/null | sed -n 's/^ *Depends: \(libomp5-.*\)/\1/p')"
		[ "$version" -lt 22 ] || packages="$packages liboffload-$version"
		(cd "$root/packages" && apt-get download $packages) >fetch.log 2>&1 ||
			skip "cannot fetch Debian's clang-$version: $(grep '^E:' fetch.log | head -1)"
		for package in "$root"/packages/*.deb; do
			dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --exclude='libLLVM*.a' --exclude=./usr/share/doc
		done
		rm -r "$root/packages"
		# Where the library of code for devices has no name to link it by.
		for library in "$root/usr/lib/llvm-$version"/lib/libomptarget.so.*; do
			[ -e "${library%%.so.*}.so" ] || ln -s "${library##*/}" "${library%%.so.*}.so"
		done
		touch "$root/done"
	fi
	exec 8>&-
	llvm=$root/usr/lib/llvm-$version
	export LD_LIBRARY_PATH="$llvm/lib:$root/usr/lib/$(gcc -print-multiarch)" PATH="$llvm/bin:$PATH"
}

part=${PART:-1/5}
fetch "$(echo 13 15 16 19 22 | cut -d ' ' -f "${part%/*}")"
clang --version | grep -q "version $version\." || fail "it is $(clang --version | head -1)"
offload clang || fail "clang $version: no code for devices: $(head -1 log)"

# Constructs in each other, in C and C++, with exact counts; but those that this version has not, or fails at plainly.
n=0
for program in "$srcdir"/tests/runtime/nesting/*.c*; do
	mkdir -p nested
	(
		cd nested
		CC=clang CLANG=clang NESTING=${program##*/} $SHELL "$srcdir/tests/runtime/nesting.sh"
	) >nested.log 2>&1 && n=$((n + 1)) || grep -q '^FAILED: no programs\|: the plain program ends with ' nested.log ||
		{ tail -5 nested.log >&2; fail "clang $version: nesting"; }
	rm -r nested
done
[ $n -ge 12 ] || fail "clang $version: $n programs of constructs in each other"

# The examples in C.
export OMPP_QUIET=1 OMPP_REPORTFILE=none OMPP_PROFILE=0
n=0
for source in "$srcdir"/examples/*.c; do
	clang -O2 -fopenmp "$source" -o plain -lm -w 2>log || continue
	kinst clang -O2 -fopenmp "$source" -o ours -lm -w 2>log || fail "clang $version: $source: $(cat log)"
	! grep 'not instrumented' log || fail "clang $version: $source: $(cat log)"
	n=$((n + 1))
done
[ $n -ge 5 ] || fail "clang $version: $n examples"

# A slice of the corpus, in C and C++: the same as plainly, and measured or named.  C++ needs a library that each has.
ls "$srcdir"/tests/corpus/cases/*.c "$srcdir"/tests/corpus/cases/*.cpp | awk -v part="${part%/*}" 'NR % 5 == part % 5' >cases
OMP_DYNAMIC=false "$srcdir/tests/corpus/compare.sh" --cc=clang --cxx=clang++ --jobs=2 $(cat cases) >compared ||
	fail "clang $version: the corpus: $(cat compared)"
grep -q '^C: .* [1-9][0-9]* behave the same (100' compared || fail "clang $version: the corpus: $(cat compared)"

# The plug-in is built for this version, kinst says that it takes it, and with it programs of random loops have the counts
# of hooks, to the digit.
unset OMPP_QUIET OMPP_REPORTFILE OMPP_PROFILE
mkdir library
ln -s "$builddir"/.libs/libompp* library
export KINST_LIBDIR=$work/library
printf 'int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n' >loop.c
KINST_PLUGINDIR=$srcdir/opari/hooks/plugin kinst --build-plugin=clang 2>said ||
	fail "clang $version: the plug-in: $(grep -m 3 'error:\|^kinst: ' said)"
kinst --verbose --access clang -O2 -c loop.c 2>said || fail "clang $version: $(cat said)"
grep -q "^kinst: loop.c: C by clang $version\.[0-9.]*: it gets no calls$" said || fail "clang $version: $(grep '^kinst: ' said)"
grep -q "^kinst: loop.c: accesses are counted by $work/library/kinst/loops_clang_${version}_" said ||
	fail "clang $version: without its plug-in: $(grep '^kinst: ' said)"
! grep 'not by loops' said || fail "clang $version"
mkdir nests
(
	cd nests
	CLANG=clang LANGUAGES=clang SEEDS=1 LEVELS=-O2 NESTS=8 CHECKING=yes $SHELL "$srcdir/tests/access/nests.sh"
) >nests.log 2>&1 || { tail -5 nests.log >&2; fail "clang $version: the plug-in's counts"; }
