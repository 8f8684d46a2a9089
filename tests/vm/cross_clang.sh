# cross_clang: clang for 64-bit ARM on this machine, with LLVM's OpenMP library that Debian has for that one: calls by both
# engines, accesses by hooks and by loops, and what that library tells of a plain program are as with clang for this machine
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/vm/cross.sh"
. "$srcdir/tests/vm/vm.sh"
cross_need aarch64
[ "$(uname -m)" = x86_64 ] || skip 'this machine is not x86_64, with which the other is compared'
for tool in clang apt-get apt-cache dpkg-deb; do
	need $tool
done
version=$(clang -dumpversion)
version=${version%%.*}
vm_security= # two packages alone
vm_setup
vm_fetch libomp5-"$version" libomp-"$version"-dev
openmp=$vm_root/usr/lib/llvm-$version/lib
cross_build libompp.la libompp_openmp.la libompp_access.la include/ompp.h

# As users have it: kinst finds libompp in the folder of the machine's name; the plug-in is that of this machine's clang.
unset KINST_LIBDIR KINST_INCLUDEDIR
mkdir library library/$cross
ln -s "$builddir"/.libs/libompp* library
ln -s "$cross_folder"/.libs/libompp* library/$cross
[ ! -d "$builddir/.libs/kinst" ] || ln -s "$builddir/.libs/kinst" library
cp "$srcdir/tests/vm/cross.c" .
export OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_VIEW=flat,data OMPP_QUIET=1

# make_both NAME WORD…: the program by `WORD… clang`, as NAME.here and NAME.there; what kinst says of the second is in said
make_both() {
	name=$1
	shift
	"$@" clang -O1 -fopenmp cross.c -o "$name.here" >said 2>&1 || fail "$name here: $(cat said)"
	"$@" clang --target=$cross -O1 -fopenmp cross.c -o "$name.there" -L"$openmp" >said 2>&1 ||
		fail "$name: $(cat said)"
}

# run_both NAME LIBRARY-HERE LIBRARY-THERE: both write the same, and their reports have the same executions of regions by
# type, and the same accesses of named objects.  The libraries are preloaded; they may be empty.
run_both() {
	OMPP_REPORTFILE=$1.here.csv LD_PRELOAD=$2 "./$1.here" >here.out 2>err || fail "$1 here: $(cat err)"
	OMPP_REPORTFILE=$1.there.csv cross_run -E LD_LIBRARY_PATH="$cross_folder/.libs:$openmp:/usr/$cross/lib" \
		-E LD_PRELOAD="$3" "./$1.there" >there.out 2>err || fail "$1: status $?: $(cat err)"
	same "what the program says ($1)" here.out there.out
	for at in here there; do
		awk -F, '/^##BEG R[0-9]/ { getline; type = $2 } $1 == "SUM" && type { print type, $3; type = "" }' $1.$at.csv |
			sort >$1.$at.rows
		awk -F, '/^##BEG data obj/ { on = 1 } /^##END data obj/ { on = 0 } on && $1 ~ /^(from|to|wide)$/' $1.$at.csv >$1.$at.objects
	done
	grep -q '^TASKEXEC 12$' $1.here.rows || fail "$1: rows: $(cat $1.here.rows)"
	same "the executions of regions ($1)" $1.here.rows $1.there.rows
	same "the accesses ($1)" $1.here.objects $1.there.objects
}
export KINST_LIBDIR="$work/library"
for engine in kinst opari2; do
	[ $engine = kinst ] || command -v opari2 >/dev/null || continue
	make_both $engine kinst --strict --engine=$engine
	run_both $engine '' ''
done
make_both hooks kinst --strict --access=hooks
run_both hooks '' ''
grep -q '^to,6000,5000,0,11000,88000,' hooks.there.objects || fail "accesses: $(cat hooks.there.objects)"
if [ "$(ls library/kinst/loops_clang* 2>/dev/null)" ]; then
	make_both loops kinst --strict --verbose --access
	grep -q '^kinst: cross.c: accesses are counted by .*/loops_clang' said || fail "no loops: $(grep '^kinst:' said)"
	"$cross-nm" loops.there | grep -q ompp_access_run || fail 'no loops are counted as a whole'
	run_both loops '' ''
	same 'the accesses by loops and by hooks' hooks.there.objects loops.there.objects
fi
make_both plain env
run_both plain "$builddir/.libs/libompp.so" "$cross_folder/.libs/libompp.so"
