# debian: the Debian packages.  PART=1/6 builds them and looks at them (lintian, what libompp imports, files); 2/6 and 3/6
# run their own tests in a clean Debian; 4/6 installs, upgrades and removes them there; 5/6 goes through the steps of the
# container, which measures the example; 6/6 builds them once more elsewhere, which gives the same bytes.
. "$srcdir/tests/lib.sh"
. "$srcdir/tests/package/packages.sh"

# Each package is there, in one command, and nothing is left in the source.
look() {
	need lintian
	for package in $(sed -n 's/^Package: //p' "$srcdir/env/debian/control"); do
		set -- "$packages/$package"_*.deb
		[ -f "$1" ] || fail "there is no package $package"
		[ "$(dpkg-deb -f "$1" Version)" = "$(dpkg-parsechangelog -l "$srcdir/env/debian/changelog" -S Version)" ] ||
			fail "$1: version"
	done
	lintian --fail-on error,warning --suppress-tags-from-file "$srcdir/env/debian/suppressed" "$packages"/*.changes >said 2>&1 ||
		fail "lintian: $(grep '^[EW]:' said | head -40)"
	awk 'FNR == 1 { why = 0 } /^#/ { why = 1; next } NF && !why { print; bad = 1 } { why = 0 } END { exit bad }' \
		"$srcdir/env/debian/suppressed" "$srcdir"/env/debian/*.lintian-overrides ||
		fail 'a complaint of lintian is suppressed without its reason'

	# The library is a guest also as it is packaged, with all hardening of the build.
	for package in libompp1 libompp-dev kinst kinst-plugin-gcc-12 kinst-plugin-clang-14; do
		dpkg-deb -x "$packages/$package"_*.deb unpacked
	done
	libraries=$(dirname unpacked/usr/lib/*/libompp.so)
	mkdir -p as_built/.libs
	cp -L "$libraries"/libompp.so "$libraries"/libompp.a as_built/.libs/
	(builddir=$work/as_built && . "$srcdir/tests/runtime/imports.sh") >said 2>&1 || fail "imports: $(cat said)"
	nm "$libraries"/libompp.a "$libraries"/libompp_[aos]*.a 2>/dev/null | sed -n 's/^ *U //p' | sort -u >used
	[ "$(wc -l <used)" -ge 50 ] || fail 'what goes into programs uses nothing'
	! grep -x __stack_chk_fail used || fail 'what goes into programs checks stacks'
	for program in kinst ompp; do
		readelf -h unpacked/usr/bin/$program | grep -q 'Type:.*DYN' || fail "$program is not position independent"
		readelf -d unpacked/usr/bin/$program | grep -q BIND_NOW || fail "$program binds lazily"
		nm -D unpacked/usr/bin/$program | grep -q __stack_chk_fail || fail "$program does not protect its stack"
		nm -D unpacked/usr/bin/$program | grep -q '_chk@' || fail "$program is not fortified"
	done

	# What two architectures have side by side lies in folders of its architecture, but for what is the same.
	triplet=$(gcc -print-multiarch)
	for package in libompp1 libompp-mem0 libompp-flow0 libompp-dev; do
		dpkg-deb -c "$packages/$package"_*.deb | awk '{ print $6 }' | grep -v '/$' |
			grep -v -e "/$triplet/" -e ^./usr/share/doc/ -e ^./usr/share/man/ -e ^./usr/share/lintian/ >beside || :
		[ ! -s beside ] || fail "$package has files that another architecture has, too: $(cat beside)"
	done
}

# run_tests TEST…: of env/debian/tests, by autopkgtest, in a Debian that has the packages and what the tests name alone.
run_tests() {
	need autopkgtest
	get_debian root
	for test; do
		names="${names:-} --test-name=$test"
	done
	status=0
	# shellcheck disable=SC2086
	around root env -u TMPDIR autopkgtest --output-dir="$work/out" $names --no-built-binaries \
		"$packages"/*.deb "$packages"/*.dsc -- chroot "$work/root" >log 2>&1 || status=$?
	for test; do
		grep -q "^$test *PASS" out/summary 2>/dev/null || { tail -40 log; cat out/summary; fail "test $test of the packages"; }
	done
	[ $status = 0 ] || { tail -20 log; fail "autopkgtest: status $status"; }
}

# older: makes packages of an older version of the same files in the folder old.
older() {
	mkdir old
	version=$(dpkg-parsechangelog -l "$srcdir/env/debian/changelog" -S Version)
	for deb in "$work"/new/*.deb; do
		dpkg-deb -R "$deb" unpacked
		sed -i "s/^Version: .*/Version: 0.9-1/; s/(= $version)/(= 0.9-1)/g" unpacked/DEBIAN/control
		dpkg-deb -Znone -b unpacked "old/$(dpkg-deb -f "$deb" Package).deb" >/dev/null
		rm -r unpacked
	done
}

# files FOLDER: all files of a Debian and what they are, but for what is there for the work of apt alone.
files() {
	(cd "$1" && find . -xdev ! -path './var/cache/*' ! -path './var/lib/apt/*' ! -path './var/lib/dpkg/*' \
		! -path './var/log/*' ! -path './tmp/*' ! -path './etc/ld.so.cache' -printf '%p %y %l %m\n' | sort)
}

# What piuparts does: install, upgrade, remove; and what an old version wrote is read by the new one.
lives() {
	get_debian root
	mkdir new
	cp "$packages"/kinst_*.deb "$packages"/kinst-plugin-gcc-12_*.deb "$packages"/libompp[1-]*[0-9v]_*.deb "$packages"/ompp-doc_*.deb new/
	older
	mv old new root/
	mkdir root/tmp/work
	cp "$srcdir"/tests/fuzz/corpus_profile/example "$srcdir"/tests/fuzz/corpus_profile/data root/tmp/work/
	cp "$srcdir/examples/imbalance.c" "$srcdir/examples/spin.h" root/tmp/work/
	apt='apt-get -q -y --no-install-recommends'
	step() {
		what=$1
		shift
		inside root sh -ec "$1" >log 2>&1 || { tail -20 log; fail "$what"; }
	}
	step 'what they depend on' "$apt install gcc libc6-dev && $apt install /new/*.deb &&
		dpkg --purge \$(dpkg-query -W -f '\${Package}\n' | grep -E '^(kinst|libompp|ompp-)')"
	files root >before
	step 'install of the old version' "$apt install /old/*.deb"
	step 'a program by the old version' 'cd /tmp/work && kinst gcc -O2 -fopenmp imbalance.c -o old &&
		OMP_NUM_THREADS=2 ./old && mv old.2-0.ompp old.ompp && ompp report --format=csv old.ompp >old.csv'
	step 'upgrade' "$apt install /new/*.deb && [ \"\$(dpkg-query -W -f '\${Version}' libompp1)\" != 0.9-1 ]"
	step 'the program of the old version with the new library' 'cd /tmp/work && OMP_NUM_THREADS=2 ./old && ompp report old.2-1.ompp'
	step 'profiles of old versions' 'cd /tmp/work && ompp report --format=csv old.ompp | cmp - old.csv &&
		for file in example data; do ompp report $file >$file.txt && [ -s $file.txt ]; done'
	for file in example data; do
		ompp report --format=csv "$srcdir/tests/fuzz/corpus_profile/$file" >here.csv
		inside root ompp report --format=csv /tmp/work/$file >there.csv
		same "the profile $file of an old version" here.csv there.csv
	done
	step 'downgrade' "$apt --allow-downgrades install /old/*.deb"
	step 'upgrade once more' "$apt install /new/*.deb"
	step 'a program without kinst, which needs the library alone' "$apt purge kinst libompp-dev kinst-plugin-gcc-12 &&
		cd /tmp/work && OMP_NUM_THREADS=2 ./old && ! command -v kinst"
	step 'removal' "dpkg --purge \$(dpkg-query -W -f '\${Package}\n' | grep -E '^(kinst|libompp|ompp-)') && ! ldconfig -p | grep libompp"
	files root >after
	same 'the Debian without the packages' before after
	step 'what is left' 'rm -r /old /new /tmp/work && ! find / -xdev ! -path "/var/cache/*" \( -name "*ompp*" -o -name "*kinst*" \) | grep .'
}

# The steps of env/Containerfile, in a clean Debian in place of the image.
contain() {
	need python3
	get_debian root
	sed -e :a -e '/\\$/N; s/\\\n//; ta' "$srcdir/env/Containerfile" | grep -v '^#' >steps
	folder=/ setting=
	while read -r step words; do
		case $step in
		FROM) [ "$words" = "debian:$suite-slim" ] || skip "the container is of $words, this is $suite" ;;
		COPY)
			mkdir -p "root/${words#* }"
			cp "$packages"/${words% *} "root/${words#* }"
			;;
		RUN) inside root sh -c "$words" >log 2>&1 </dev/null || { tail -20 log; fail "the container: $words"; } ;;
		WORKDIR)
			folder=$words
			mkdir -p "root$folder"
			;;
		ENV) setting=$words ;;
		CMD) echo "$words" >command ;;
		esac
	done <steps
	python3 -c 'import json, sys
for word in json.load(sys.stdin): print(word)' <command >words
	[ "$(head -n 2 words | paste -s -d ' ')" = 'sh -c' ] && [ "$(wc -l <words)" = 3 ] || fail "the command: $(cat command)"
	inside root env $setting sh -c "cd $folder && $(sed -n 3p words)" >said 2>&1 </dev/null || { cat said; fail 'its command'; }
	grep -q '^matvec: wall time .* 2 threads$' said || { cat said; fail 'its command shows no report'; }
	inside root sh -c 'ompp report --format=csv --view=flat /tmp/matvec*.ompp' >report
	[ "$(csv_field report 'USER REGION:product' SUM execC)" = 1 ] || { cat report; fail 'the region of the example'; }
	[ "$(csv_field report LOOP SUM execC)" = 2 ] || fail 'the loop of the example'
}

# same_packages FOLDER: all packages there, and the source of them, are those of this source, byte by byte.
same_packages() {
	for file in "$packages"/*.deb "$packages"/*.tar.xz "$packages"/*.dsc; do
		! cmp -s "$file" "$1/${file##*/}" || continue
		case $file in
		*.deb)
			rm -rf first second
			dpkg-deb -R "$file" first
			dpkg-deb -R "$1/${file##*/}" second
			diff -rq first second || :
			;;
		*.tar.xz) tar -tvf "$file" >first && tar -tvf "$1/${file##*/}" >second && diff first second | head -20 ;;
		*) diff "$file" "$1/${file##*/}" | head -20 ;;
		esac
		fail "${file##*/} is not the same, built twice"
	done
}

# Builds the packages of the distribution, in another folder, with another home, umask, locale and time zone, as one
# processor packs, and compiles everything once more.
build_twice() {
	locale=C
	mkdir elsewhere home locales
	tar -C elsewhere --strip-components=1 -xf "$packages"/kinst_*.orig.tar.xz
	if localedef -i tr_TR -f UTF-8 locales/tr_TR.UTF-8 >/dev/null 2>&1; then
		locale=tr_TR.UTF-8
	else
		echo 'there are no sources of the Turkish locale: built in C'
	fi
	(
		umask 077
		export HOME="$work/home" TZ=Asia/Kathmandu LOCPATH="$work/locales" LC_ALL=$locale DPKG_DEB_THREADS_MAX=1
		unset CCACHE_DIR
		build_packages "$work/elsewhere" "$work/again"
	)
	same_packages again
}

get_packages
case ${PART:-all} in
1/6) look ;;
2/6) run_tests c cxx fortran ;;
3/6) run_tests mpi clang ;;
4/6) lives ;;
5/6) contain ;;
6/6) build_twice ;;
all)
	look
	run_tests c cxx fortran mpi clang
	rm -rf root out
	lives
	rm -rf root
	contain
	build_twice
	;;
*) fail "PART=$PART" ;;
esac
