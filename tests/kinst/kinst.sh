# kinst.sh: what the tests of kinst share.  To source: . "$srcdir/tests/kinst/kinst.sh"
. "$srcdir/tests/lib.sh"
need opari2
kinst=$builddir/kinst
unset KINST KINST_FLAGS KINST_LIBDIR KINST_INCLUDEDIR
OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_REPORTFILE=none
export OMP_NUM_THREADS OMPP_QUIET OMPP_REPORTFILE
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

# instrumented FILE…: each refers to the runtime; plain FILE…: none does.
instrumented() {
	for object; do
		nm "$object" | grep -qi ' u \(pomp2_\|ompp_f_\)' || fail "$object is not instrumented"
	done
}
plain() {
	for object; do
		! nm "$object" | grep -qi ' u \(pomp2_\|ompp_f_\)' || fail "$object is instrumented"
	done
}

# clean: no temporary file is left.
clean() {
	[ -z "$(ls "$TMPDIR")" ] || fail "temporary files are left: $(ls "$TMPDIR")"
}

# both COMPILER ARGUMENTS: the plain compiler in plain/, kinst in kinst/ (made by setup); files, messages, dependency
# files and the exit status must be the same.
both() {
	compiler=$1
	shift
	for side in plain kinst; do
		rm -rf $side
		mkdir -p $side/src $side/obj "$side/with blank"
		(
			cd $side
			sources
			run=$compiler
			[ $side = plain ] || run="$kinst $compiler"
			status=0
			eval "$run $*" >../$side.said 2>&1 || status=$?
			echo "status $status" >>../$side.said
			find . -type f | sort >../$side.files
			find . -name '*.d' | sort | xargs -r cat >../$side.depend
		)
	done
	for what in said files depend; do
		cmp -s plain.$what kinst.$what || { diff plain.$what kinst.$what | head; fail "$compiler $*: $what"; }
	done
	clean
}

# A small program: one parallel loop, and a file with nothing in it.
small_c() {
	cat >"$1" <<'EOF'
#include <stdio.h>
int main(void)
{
	int i, sum = 0;
#pragma omp parallel for reduction(+:sum)
	for (i = 0; i < 100; i++)
		sum += i;
	printf("%d %s\n", sum, __FILE__);
	return 0;
}
EOF
}
