# install: make install with DESTDIR gives programs, library, header, pkg-config, manual pages and completion that work
# where they are.
. "$srcdir/tests/lib.sh"
root=$work/root

"$MAKE" -s -C "$builddir" install DESTDIR="$root" >install.log 2>&1 || { tail -5 install.log; fail "make install"; }
prefix=$root$(sed -n 's/^prefix = //p' "$builddir/Makefile")
for file in bin/kinst bin/kinst-gcc bin/kinst-g++ bin/kinst-gfortran bin/kinst-clang bin/kinst-clang++ bin/ompp \
	include/ompp.h include/ompp_flow.h lib/pkgconfig/ompp.pc lib/pkgconfig/ompp-flow.pc share/man/man3/ompp_flow.3 share/man/man1/kinst.1 share/man/man1/ompp.1 share/man/man7/libompp.7 \
	share/bash-completion/completions/ompp share/bash-completion/completions/kinst share/zsh/site-functions/_ompp share/fish/vendor_completions.d/ompp.fish \
	share/modulefiles/kinst share/kinst/ompp-profile-1.schema.json \
	share/kinst/ompp-brief-1.schema.json share/kinst/ompp-diff-1.schema.json share/kinst/ompp-history-1.schema.json share/kinst/ompp-scaling-1.schema.json; do
	[ -e "$prefix/$file" ] || fail "$file is not installed"
done
[ -e "$prefix/lib/libompp.so" ] || [ -e "$prefix/lib/libompp.a" ] || fail "libompp is not installed"

for file in "$prefix"/lib/libompp*.so; do
	[ -z "$(readelf -S "$file" | grep '\.debug_line')" ] || fail "$file has lines that debuggers step into"
done

for file in share/man/man1/kinst.1 share/man/man1/ompp.1 share/man/man7/libompp.7 lib/pkgconfig/ompp.pc \
	share/bash-completion/completions/ompp share/modulefiles/kinst/*; do
	# shellcheck disable=SC2086
	! grep -n '@[A-Za-z]*@' "$prefix"/$file || fail "$file was not filled in"
done
grep -q "^prepend-path PATH .*/bin$" "$prefix"/share/modulefiles/kinst/* || fail "the module file sets no PATH"

# A moved installation finds its own library, and its programs run without LD_LIBRARY_PATH.
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
"$prefix/bin/kinst-gcc" -fopenmp hello.c -o hello
OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV ./hello >out 2>err || fail "the program does not run: $(cat err)"
[ "$(cat out)" = hello ] || fail "output"
[ "$(csv_field report 'USER REGION:hello' SUM execC)" = 1 ] || fail "count of the user region"
[ "$(csv_field report PARALLEL SUM execC)" = 2 ] || fail "count of the parallel region"

if [ -n "$GFORTRAN" ]; then
	cat >hello.f90 <<-'F'
	program hello
	  use ompp
	  integer :: i
	  double precision :: a(100)
	  !$pomp inst data(a)
	  call ompp_region_begin("hello")
	  !$omp parallel do num_threads(2)
	  do i = 1, 100
	    a(i) = i
	  end do
	  call ompp_region_end("hello")
	end program hello
	F
	"$prefix/bin/kinst-gfortran" -O2 -fopenmp hello.f90 -o fortran || fail "kinst-gfortran"
	OMPP_REPORTFILE=report OMPP_OUTFORMAT=CSV OMPP_QUIET=1 ./fortran || fail "the Fortran program does not run"
	[ "$(csv_field report 'USER REGION:hello' SUM execC)" = 1 ] || fail "count of the user region, Fortran"
fi

# pkg-config, for programs that call the library without kinst.
if command -v pkg-config >/dev/null; then
	PKG_CONFIG_PATH=$prefix/lib/pkgconfig
	export PKG_CONFIG_PATH
	flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs ompp)
	# shellcheck disable=SC2086
	$CC hello.c -o plain $flags || fail "pkg-config: $flags"
	OMPP_REPORTFILE=none ./plain >out || fail "the program linked by pkg-config does not run"
	flags=$(pkg-config --define-variable=prefix="$prefix" --cflags --libs ompp-flow)
	# shellcheck disable=SC2086
	$CC "$srcdir/examples/flow_private.c" -o private $flags || fail "pkg-config: $flags"
	! ./private missing 2>err && grep -q 'No such file' err || fail "the program that reads traces: $(cat err)"
fi

# The manual pages name every variable.
for page in man1/ompp.1 man7/libompp.7; do
	grep -q 'OMPP_DUMP_INTERVAL' "$prefix/share/man/$page" || fail "$page has no variables"
done
bash -c ". $prefix/share/bash-completion/completions/ompp; COMP_WORDS=(ompp run --dump); COMP_CWORD=2; _ompp; echo \${COMPREPLY[0]}" |
	grep -qx -- '--dump-interval=' || fail "completion"

# bash-completion loads both by the names of the commands, and completes the arguments of the compiler behind kinst.
loader=/usr/share/bash-completion/bash_completion
if [ -f $loader ]; then
	XDG_DATA_DIRS=$prefix/share bash -c ". $loader"'
		for command in kinst ompp; do
			_completion_loader $command
			complete -p $command
		done
		COMP_WORDS=(kinst gcc -fopenm) COMP_CWORD=2 COMP_LINE="kinst gcc -fopenm" COMP_POINT=17
		_kinst kinst -fopenm gcc
		echo "${COMPREPLY[@]}"' >loaded 2>&1 || fail "bash-completion: $(cat loaded)"
	for line in 'complete -F _kinst kinst' 'complete -F _ompp ompp' '.*-fopenmp.*'; do
		grep -qx -- "$line" loaded || fail "bash-completion: no $line in: $(cat loaded)"
	done
fi
