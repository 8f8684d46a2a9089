# mumps: Fortran with some C; plain make with a user's Makefile.inc; modules, shared libraries, and directives with
# clauses over several lines, behind preprocessor conditions.
. "$srcdir/tests/applications/application.sh"
fetch mumps

configure() {
	cp -a "$source"/. .
	# Both sides run at the same time, and the examples save into one place, where each would find the other's files.
	sed -i 's|"/tmp"|"."|' examples/*save_restore*
	cat >Makefile.inc <<-END
		LPORDDIR = \$(topdir)/PORD/lib/
		IPORD = -I\$(topdir)/PORD/include/
		LPORD = -L\$(LPORDDIR) -lpord\$(PLAT)
		ORDERINGSF = -Dpord
		ORDERINGSC = \$(ORDERINGSF)
		LORDERINGS = \$(LPORD)
		IORDERINGSC = \$(IPORD)
		LIBEXT = .a
		LIBEXT_SHARED = .so
		FPIC_OPT = -fPIC
		OUTC = -o 
		OUTF = -o 
		RM = rm -f
		CC = ${by}gcc
		FC = ${by}gfortran
		FL = ${by}gfortran
		AR = ar vr 
		RANLIB = ranlib
		LIBBLAS = -lblas
		LAPACK = -llapack
		LIBOTHERS = -lpthread
		CDEFS = -DAdd_
		OPTF = -O0 -fPIC -fopenmp -fallow-argument-mismatch
		OPTL = -fopenmp
		OPTC = -O0 -fPIC -fopenmp
		INCS = -I\$(topdir)/libseq
		LIBS = \$(LAPACK) -L\$(topdir)/libseq -lmpiseq\$(PLAT)
		LIBSEQNEEDED = libseqneeded
	END
}

# Builds the library for double precision, or for all four kinds of numbers.
build() {
	rm -f lib/*.so # links, which its makefile does not replace
	if [ -n "$whole" ]; then make all; else make d; fi
}

# The five-point Laplacian of a square of 80 by 80, with the right side whose solution is 1 everywhere.
laplace() {
	awk 'BEGIN {
		n = 80
		print n * n
		print n * n + 4 * n * (n - 1)
		for (i = 1; i <= n; i++)
			for (j = 1; j <= n; j++) {
				k = (i - 1) * n + j
				rest = 4
				if (i > 1) { print k, k - n, -1; rest-- }
				if (i < n) { print k, k + n, -1; rest-- }
				if (j > 1) { print k, k - 1, -1; rest-- }
				if (j < n) { print k, k + 1, -1; rest-- }
				print k, k, 4
				right[k] = rest
			}
		for (k = 1; k <= n * n; k++)
			print right[k]
	}'
}

# The package's examples, as Debian runs them, and a system that is large enough for its parallel parts.
check() {
	cd examples
	LD_LIBRARY_PATH=$PWD/../lib MUMPS_OOC_TMPDIR=.
	export LD_LIBRARY_PATH MUMPS_OOC_TMPDIR
	for program in [sdcz]simpletest [sdcz]simpletest_save_restore c_example c_example_save_restore \
		multiple_arithmetics_example; do
		[ -x "$program" ] || continue
		input=input_simpletest_real
		case $program in [cz]simple*) input=input_simpletest_cmplx ;; esac
		echo "== $program"
		"./$program" <$input
		echo "status $?"
	done
	laplace >laplace.input
	./dsimpletest <laplace.input >laplace.out
	echo "== laplace: status $?"
}

# Takes out what depends on threads and on the clock: times, and the names of temporary files.
tell() {
	grep -av '[Tt]ime\|/mumps_0_\|megabytes\|Mbytes\|MB' "$1"
}

# solved SIDE
solved() {
	tr -s ' ' '\n' <"$1/examples/laplace.out" | awk '
		/^Entering/ { inside = 0 }
		inside && NF { n++; d = $1 - 1; if (!(d < 1e-9 && d > -1e-9)) bad = 1 }
		/^is$/ { inside = 1 }
		END { exit bad || n != 6400 }' || fail "$1: the solution of the Laplacian is not 1"
}

# printed_while STEP COMMAND…: what the examples print in this step of the folder kinst, which the command makes, is plain's.
printed_while() {
	printing=$1
	shift
	"$@"
	tell "kinst/$printing.out" >kinst/results
	same "what the examples print, $printing" plain/results kinst/results
	solved kinst
}

in_both configure
in_both build
quiet build
constructs_are_regions lib/libdmumps.so lib/libmumps_common.so
if is_part 1; then
	in_both check
	tell plain/check.out >plain/results
	tell kinst/check.out >kinst/results
	same "what the examples print" plain/results kinst/results
	solved plain
	solved kinst
	reported 6 dfac_asm_master_m.F dsol_aux.F
	printed_while pages-uffd paged uffd
	hooked
	printed_while sampled sampled
	printed_while pages-hooks paged hooks
fi
if is_part 2; then
	counted Makefile.inc
	solved kinst
fi
seconds
