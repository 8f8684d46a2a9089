# secure: a set-uid or set-gid program takes no variable from who starts it, writes nothing with its rights, and says nothing
. "$srcdir/tests/lib.sh"

[ "$(id -u)" = 0 ] || skip "only root can make a program of another user"
need setpriv

# The program must run with shared libraries of its own that everybody may read.
chmod 755 .
mkdir lib
cp -L "$builddir"/.libs/libompp*.so* "$builddir"/.libs/libompp*.a lib/ 2>/dev/null || :
export KINST_LIBDIR="$PWD/lib"
cat >secure.c <<'END'
#include <stdio.h>
#include <sys/auxv.h>
int main(void)
{
	int n = 0;
#pragma omp parallel reduction(+ : n)
	n++;
	printf("%d %d\n", n, getauxval(AT_SECURE) != 0);
	return 5;
}
END
kinst $CC -fopenmp secure.c -o prog

owner=12345 user=54321
mkdir owned public
chown $owner:$owner owned prog
chmod 777 public
echo "$owner" >owned/file
chown $owner:$owner owned/file
chmod 775 owned
chmod 664 owned/file

# as_user: as somebody who owns nothing here; everything that could make the program write is set
as_user() {
	(
		cd public
		OMPP_REPORTFILE=$1 OMPP_OUTDIR=$2 OMPP_PROFILE=1 OMPP_DUMP_INTERVAL=0.01 OMPP_CTR=PAPI_TOT_INS,page-faults \
			OMPP_DATA_NAME='*' OMPP_NOT_KNOWN=1 OMP_NUM_THREADS=2 \
			setpriv --reuid $user --regid $user --clear-groups ../prog >out 2>err || echo $? >status
		[ "$(cat status)" = 5 ] || fail "status $(cat status): $(cat out err)"
	)
}

# without the bit: it does write, so that the rest means something
as_user '' .
[ "$(cat public/out)" = "2 0" ] && [ -s public/err ] && ls public | grep -q ompp || fail "an ordinary program writes no report"

for bit in u+s g+s; do
	chmod 755 prog
	chmod $bit prog
	for where in "$PWD/owned/file" ""; do
		rm -f public/*
		as_user "$where" "$PWD/owned"
		case $(cat public/out) in
		"2 1") ;;
		"2 0") skip "the file system of temporary files has no set-uid programs" ;;
		*) fail "$bit: output: $(cat public/out)" ;;
		esac
		[ ! -s public/err ] || fail "$bit: it says: $(cat public/err)"
		[ "$(cat owned/file)" = $owner ] && [ "$(ls owned)" = file ] || fail "$bit: written: $(ls -l owned)"
		[ "$(ls public | tr '\n' ' ')" = "err out status " ] || fail "$bit: files: $(ls public)"
	done
done
