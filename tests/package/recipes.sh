# recipes: what describes packages fits the source: Debian's files, the Spack recipe, the container
. "$srcdir/tests/lib.sh"
version=$(sed -n 's/^AC_INIT(\[kinst\], \[\(.*\)\], \[\], .*/\1/p' "$srcdir/configure.ac")
debian=$srcdir/env/debian

head -n 1 "$debian/changelog" | grep -q "^kinst ($version-[0-9]*) " || fail "the changelog is not of $version"
[ "$(head -n 1 "$srcdir/NEWS")" = "$version" ] || fail "NEWS is not of $version"

# Each package is described once, with its files; of each compiler, one that is built for it.
sed -n 's/^Package: //p' "$debian/control" | sort >known
[ "$(wc -l <known)" -ge 8 ] || fail "packages: $(cat known)"
(cd "$debian" && ls ./*.install) | sed 's|^./||; s/\.install$//' | sort >installed
same 'the packages that have files' known installed
sed -n 's/^kinst-plugin-//p' known >for_control
sed -n 's/^other_compilers = //p; s/^compilers = \(.*\) \$(other_compilers) \(.*\)/\1 \2/p' "$debian/rules" | tr ' ' '\n' | sort >for_rules
same 'the compilers of plug-ins' for_control for_rules

# What the packages need to be built is what env/install-packages installs for them.
awk '/^\[check\]/ { exit } /^[a-z]/ { print $1 }' "$srcdir/env/packages" >listed
sed -n '/^Build-Depends:/,/^Standards/p' "$debian/control" | sed 's/^Build-Depends://' | grep -o '^ *[a-z0-9+.-]*' | tr -d ' ' |
	grep -v '^$' | sed 's/^debhelper-compat$/debhelper/; s/^clang-[0-9]*$/clang/; s/^g++-12$/g++/' | while read -r package; do
	grep -qx -e "$package" listed || echo "$package"
done >missing
[ ! -s missing ] || fail "env/packages has not: $(cat missing)"

# The Spack recipe runs, and configure has what it asks for.
if command -v python3 >/dev/null; then
	"$srcdir/configure" --help >help
	python3 "$srcdir/tests/package/spack.py" "$srcdir/env/spack/packages/kinst/package.py" "$version" help >arguments ||
		fail 'the Spack recipe'
	[ "$(wc -l <arguments)" -ge 5 ] || fail "the Spack recipe: $(cat arguments)"
fi

# The container: instructions in an order that works, of packages that there are.
sed -e :a -e '/\\$/N; s/\\\n//; ta' "$srcdir/env/Containerfile" | grep -v '^#' >container
[ "$(cut -d ' ' -f 1 container | paste -s -d ' ')" = 'FROM COPY RUN WORKDIR ENV CMD' ] || fail "the container: $(cat container)"
grep -q '^FROM debian:[a-z]*-slim$' container || fail 'the container is not of Debian slim'
grep -o '/packages/[a-z0-9_*-]*\.deb' container | sed 's|/packages/||; s/\.deb$//; s/_\*$/$/; s/\*$//' >wanted
[ "$(wc -l <wanted)" -ge 3 ] || fail "the container's packages: $(cat wanted)"
while read -r pattern; do
	grep -q "^$pattern" known || fail "the container: no package $pattern"
done <wanted
[ -f "$srcdir/examples/$(sed -n 's|.*/examples/\([a-z_]*\.c\).*|\1|p' container)" ] || fail 'the container: no such example'
