# healpix: C++; autotools and libtool; directives in templates and headers, instantiated in a library and in programs.
. "$srcdir/tests/applications/application.sh"
fetch healpix-cxx

# The package's test takes minutes; its checks of what is parallel take seconds.
configure() {
	cp -a "$source"/. .
	[ -n "$whole" ] || sed -i '/^  perftest();/d; /^  check_/{
		/_smooth_alm\|_rot_alm\|_alm2map2alm\|_average\|_import/!d
	}' Healpix_cxx/hpxtest.cc
	./configure CC="${by}gcc" CXX="${by}g++" CFLAGS=-O1 CXXFLAGS=-O1 --disable-static --disable-dependency-tracking
}

# Builds the library, one program that has only the directives of a template, and the test; or all programs.
build() {
	make ${whole:+all} libhealpix_cxx.la udgrade_cxx hpxtest
}

# The package's own test.
check() {
	make check-TESTS
}

in_both configure
quiet configure
in_both build
quiet build
constructs_are_regions .libs/libhealpix_cxx.so .libs/hpxtest .libs/udgrade_cxx
in_both check
same_results
reported 5
paged uffd
same_results pages-uffd
hooked
sampled
same_results sampled
paged hooks
same_results pages-hooks
counted Makefile
same_results check-loops
seconds
