# symbols: the libraries have the symbols that env/debian/*.symbols promise, and no other
. "$srcdir/tests/lib.sh"
[ -f "$builddir/.libs/libompp.so" ] || skip 'no shared libraries'
command -v dpkg-gensymbols >/dev/null || skip 'no dpkg-gensymbols'
debian=$srcdir/env/debian
version=$(sed -n '1s/.*(\(.*\)-[0-9]*).*/\1/p' "$debian/changelog")
mkdir -p tree/debian
cp "$debian/control" "$debian/changelog" tree/debian/
for package in libompp1 libompp-mem0 libompp-flow0; do
	soname=$(sed -n '1s/ .*//p' "$debian/$package.symbols")
	mkdir -p "tree/$package/usr/lib"
	cp -L "$builddir/.libs/$soname" "tree/$package/usr/lib/"
	(cd tree && dpkg-gensymbols -c4 "-v$version-1" "-p$package" "-P$package" "-I$debian/$package.symbols" -Osymbols) >said 2>&1 ||
		fail "$package: its symbols are not those of env/debian/$package.symbols: $(cat said)"
done
