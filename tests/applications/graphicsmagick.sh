# graphicsmagick: C; autotools and libtool; a shared library with hundreds of directives.
. "$srcdir/tests/applications/application.sh"
fetch graphicsmagick

configure() {
	"$source/configure" CC="${by}gcc" CFLAGS=-O0 --enable-shared --disable-static \
		--without-magick-plus-plus --without-perl
}

build() {
	make
}

# Runs the package's own tests: those whose programs run regions in parallel, or all of them.
check() {
	if [ -n "$whole" ]; then
		make check
	else
		part='effects preview montage'
		make check TESTS="$(printf 'utilities/tests/%s.tap ' $part) wand/wandtests.tap"
	fi
}

in_both configure
quiet configure
for side in plain kinst; do
	sed 's/plain-gcc/gcc/g; s/kinst-gcc/gcc/g' $side/magick/magick_config.h >$side/found
done
same "what configure found" plain/found kinst/found
in_both build
quiet build
constructs_are_regions magick/.libs/libGraphicsMagick.so
in_both check
same_results
if is_part 3; then
	paged uffd
	same_results pages-uffd
fi
if is_part 1 || is_part 3; then
	hooked
fi
if is_part 1; then
	reported 20
	sampled
	same_results sampled
fi
if is_part 3; then
	paged hooks
	same_results pages-hooks
fi
if is_part 2; then
	counted Makefile
	same_results check-loops
fi
seconds
