# fetch.sh: source packages of Debian, for tests.  To source after tests/lib.sh: . "$srcdir/tests/applications/fetch.sh"
need dpkg-source

# fetch PACKAGE: Debian's source package is in the folder $source, which stays for the next run.  Lists of its own are
# used, so that the system's stay as they are.
fetch() {
	source=$builddir/applications/$1
	[ ! -d "$source" ] || return 0
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "${source%/*}"
	suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
	echo "deb-src http://deb.debian.org/debian $suite main" >"$work/apt/sources.list"
	for step in update "source --download-only $1"; do
		# shellcheck disable=SC2086
		(cd "$work/apt" && apt-get -q -o Dir::Etc::SourceList="$work/apt/sources.list" \
			-o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/apt/lists" \
			-o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User="$(id -un)" $step) >>"$work/apt.log" 2>&1 || {
			tail -n 3 "$work/apt.log"
			skip "Debian's source package $1 cannot be fetched"
		}
	done
	rm -rf "$source.new"
	dpkg-source --no-copy -x "$work/apt/$1"_*.dsc "$source.new" >"$work/apt.log" 2>&1 ||
		fail "the source package cannot be unpacked"
	mv "$source.new" "$source"
}
