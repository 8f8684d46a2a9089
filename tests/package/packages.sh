# packages.sh: what the tests of the Debian packages share: the packages, built once for a source, and a clean Debian to
# install them in.  To source after tests/lib.sh.  What takes long is kept in the build folder.
kept=$builddir/tests/package
mkdir -p "$kept/archives/partial"
need dh
need dpkg-buildpackage

# Prints a name for the source as it is.
source_name() {
	(
		cd "$srcdir"
		if [ -e .git ]; then git ls-files; else find . -type f ! -path './build*/*'; fi | LC_ALL=C sort |
			while read -r file; do [ ! -f "$file" ] || { echo "$file" && cat "$file"; }; done
	) | sha256sum | cut -c 1-16
}

# build_packages SOURCE FOLDER: builds them; by ccache where CCACHE_DIR is set.
build_packages() {
	(
		[ ! "${CCACHE_DIR:-}" ] || [ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH
		export DEB_BUILD_OPTIONS="nocheck parallel=$(getconf _NPROCESSORS_ONLN)"
		unset MAKEFLAGS MFLAGS MAKELEVEL CC GXX GFORTRAN CLANG # make check's own
		"$1/env/deb" "$2"
	) >build.log 2>&1 || { tail -30 build.log; fail 'env/deb'; }
}

# Sets packages, the folder of the packages of this source.  It has always the same name, by which ccache knows it.
get_packages() {
	packages=$kept/packages
	exec 8>"$kept/lock"
	flock 8
	name=$(source_name)
	if [ "$(cat "$packages/source" 2>/dev/null)" != "$name" ]; then
		rm -rf "$packages"
		CCACHE_DIR=$kept/ccache build_packages "$srcdir" "$packages"
		echo "$name" >"$packages/source"
	fi
	exec 8>&-
}

# get_debian FOLDER: unpacks a clean Debian.
get_debian() {
	[ "$(id -u)" = 0 ] || skip 'only root can install packages'
	need debootstrap
	suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	exec 8>"$kept/lock"
	flock 8
	if [ ! -e "$kept/$suite.tar" ]; then
		debootstrap --variant=minbase --include=ca-certificates "$suite" "$work/base" >debootstrap.log 2>&1 ||
			skip "debootstrap: $(tail -1 debootstrap.log)"
		echo '127.0.0.1 localhost' >"$work/base/etc/hosts"
		rm -f "$work"/base/var/cache/apt/archives/*.deb
		tar -C "$work/base" -cf "$kept/$suite.tar.new" .
		mv "$kept/$suite.tar.new" "$kept/$suite.tar"
		rm -rf "$work/base"
	fi
	exec 8>&-
	mkdir "$1"
	tar -C "$1" -xf "$kept/$suite.tar"
	cp -L /etc/resolv.conf "$1/etc/" 2>/dev/null || :
	inside "$1" apt-get -q update >update.log 2>&1 || skip "no package lists: $(tail -1 update.log)"
}

# around FOLDER COMMAND…: runs a command for which the folder has proc, sys, dev and the kept archives, in a mount
# namespace of its own, so that nothing stays mounted.
around() {
	folder=$1
	shift
	unshare -m sh -c 'for f in proc sys dev; do mount --rbind /$f "$1/$f" || exit 1; done
		mount --bind "$2" "$1/var/cache/apt/archives" && shift 2 && exec "$@"' sh "$folder" "$kept/archives" "$@"
}

# inside FOLDER COMMAND…: runs a command in that Debian, with nothing of this environment.
inside() {
	place=$1
	shift
	around "$place" chroot "$place" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		DEBIAN_FRONTEND=noninteractive "$@"
}
