# module: the module file that is installed loads and unloads kinst, by Environment Modules, and hides no manual pages.
. "$srcdir/tests/lib.sh"
for modules in /usr/lib/*/modulecmd.tcl /usr/share/Modules/libexec/modulecmd.tcl; do
	[ ! -f "$modules" ] || break
done
[ -f "$modules" ] || skip 'Environment Modules are not installed'
need tclsh

"$MAKE" -s -C "$builddir" install DESTDIR="$work/root" >install.log 2>&1 || { tail -5 install.log; fail "make install"; }
configured=$(sed -n 's/^prefix = //p' "$builddir/Makefile")
prefix=$work/root$configured
sed -i "s| $configured/| $prefix/|" "$prefix"/share/modulefiles/kinst/*
export MODULEPATH="$prefix/share/modulefiles"
unset MANPATH LOADEDMODULES _LMFILES_ PKG_CONFIG_PATH CPATH

# module ARGUMENT…: what the shell function does.
module() {
	tclsh "$modules" sh "$@" >commands 2>said || { cat said; fail "module $*"; }
	! grep -i error said || fail "module $*"
	. ./commands
}
PATH=$(echo "$PATH" | tr : '\n' | grep -vxF "$builddir" | paste -s -d :)
before=$PATH
! command -v kinst >/dev/null || skip "kinst is in PATH: $(command -v kinst)"

module load kinst
[ "$(command -v kinst)" = "$prefix/bin/kinst" ] || fail "kinst is $(command -v kinst)"
[ "$(command -v ompp)" = "$prefix/bin/ompp" ] || fail "ompp is $(command -v ompp)"
cat >hello.c <<'C'
#include <ompp.h>
#include <stdio.h>
int main(void)
{
	ompp_region_begin("hello");
#pragma omp parallel num_threads(2)
	{
	}
	ompp_region_end("hello");
	return puts("hello") < 0;
}
C
kinst gcc -fopenmp hello.c -o hello || fail 'kinst gcc'
OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV ./hello >out || fail 'the program does not run'
[ "$(csv_field report PARALLEL SUM execC)" = 2 ] || fail 'count of the parallel region'
if command -v pkg-config >/dev/null; then
	[ "$(pkg-config --variable=prefix ompp)" = "$configured" ] || fail 'pkg-config does not find ompp'
fi
# Pages of the module and of the system: an empty part of MANPATH stands for the latter.
if command -v man >/dev/null; then
	[ "$(man -w kinst)" = "$prefix/share/man/man1/kinst.1" ] || fail "man -w kinst: $(man -w kinst)"
fi
case :$MANPATH: in
*::*) ;;
*) fail "MANPATH hides the system's pages: $MANPATH" ;;
esac

module unload kinst
[ "$PATH" = "$before" ] || fail "PATH after unload: $PATH"
! command -v kinst >/dev/null || fail "kinst is still $(command -v kinst)"
[ "${CPATH:-}${PKG_CONFIG_PATH:-}" = '' ] || fail 'variables are left after unload'
