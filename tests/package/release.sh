# release: the list of a release stops at what is not ready, and tags what is, with what was checked; --dry-run tags nothing.
# What takes minutes are tests of their own; in its place here are programs of a line.
. "$srcdir/tests/lib.sh"
need git
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_DATE='1 Jan 2026 00:00:00 +0000'
unset GIT_DIR GIT_WORK_TREE

# A repository of what the steps read.
mkdir -p tree/env tree/tests/package
cp "$srcdir/NEWS" "$srcdir/configure.ac" tree/
cp -R "$srcdir/env/release" "$srcdir/env/debian" "$srcdir/env/spack" tree/env/
cd tree
git init -q .
git config user.name tester
git config user.email tester@example.org
commit() {
	git add -A
	git commit -q -m "$1"
}
commit first
version=$(sed -n 's/^AC_INIT(\[kinst\], \[\([0-9.]*\)\].*/\1/p' configure.ac)

# stops WHAT PATTERN: the step version fails and says so.
stops() {
	! env/release --dry-run --steps=version ../out >../said 2>&1 || fail "$1 is released"
	grep -q "^release: $2" ../said || fail "$1: it says: $(cat ../said)"
}
env/release --dry-run --steps=version,tag ../out >../said 2>&1 || fail "a release that is ready: $(cat ../said)"
grep -qx "kinst $version" ../said && grep -qx 'Signed-off-by: tester <tester@example.org>' ../said || fail "the message: $(cat ../said)"
[ -z "$(git tag)" ] || fail '--dry-run makes a tag'

echo >>NEWS
stops 'a change that is not committed' 'the source: has changes'
git checkout -q NEWS
sed -i 1s/.*/9.9/ NEWS
commit news
stops 'NEWS of another version' 'NEWS: begins with 9.9'
git reset -q --hard HEAD~1
sed -i "1s/(.*)/(9.9-1)/" env/debian/changelog
commit changelog
stops 'a changelog of another version' 'env/debian/changelog: has no '
git reset -q --hard HEAD~1
sed -i 's/version("[0-9.]*"/version("9.9"/' env/spack/packages/kinst/package.py
commit recipe
stops 'a recipe of another version' 'env/spack: has no version '
git reset -q --hard HEAD~1

# A release by hand: no step may be left out, or be of another commit.
! env/release --steps=version,tag ../out >../said 2>&1 || fail 'a release without its checks'
grep -q '^release: tag: these steps were not taken for .*: clone check examples docs dist packages abi$' ../said ||
	fail "a release without its checks: $(cat ../said)"
[ -z "$(git tag)" ] || fail 'a release without its checks is tagged'

# What the other steps run, in a few lines each: programs that do what $work/PROGRAM says, if there is such a file.
stub() {
	printf '#!/bin/sh\nset -e\n%s\n[ ! -e %s/%s ] || . %s/%s\n' "$2" "$work" "${1##*/}" "$work" "${1##*/}" >"$1"
	chmod +x "$1"
}
mkdir ../bin
PATH=$work/bin:$PATH
stub ../bin/lintian ''
stub env/build 'mkdir -p "${0%/*}/../$1" && cp "${0%/*}/../tests/makefile" "${0%/*}/../$1/Makefile"'
stub env/check 'echo "7 passed, 0 failed, 2 skipped"'
stub env/dist "mkdir -p \"\$1\" && echo source >\"\$1/kinst-$version.tar.xz\""
stub env/deb 'mkdir -p "$1" && for name in a.deb a.dsc a.tar.xz a.changes; do echo $name >"$1/$name"; done'
stub tests/package/names.sh 'echo "symbol a"'
echo 'symbol a' >tests/package/KEPT
cp "$srcdir/tests/again" tests/
# Tests as automake runs them: one skips, and those that are named in $work/failing fail as often.
cat >tests/makefile <<END
LIST = tests/examples/a.sh tests/package/b.sh tests/build/docs.sh
repeated_tests = '^tests/examples/'
list-tests:
	@printf '%s\n' \$(LIST)
check:
	@for test in \$(TESTS); do \
		mkdir -p \$\${test%/*}; result=PASS; \
		case \$\$test in *docs.sh) result=SKIP ;; esac; \
		if grep -qx \$\$test $work/failing 2>/dev/null; then sed -i "0,\\|\$\$test|{\\|\$\$test|d}" $work/failing; result=FAIL; fi; \
		echo \$\$result | tee \$\${test%.sh}.log; echo ":global-test-result: \$\$result" >\$\${test%.sh}.trs; \
	done; ! grep -q FAIL \$(TESTS:.sh=.trs)
END
commit 'the programs'

# fails STEP PROGRAM LINE: the release stops at that step when the program does this.
fails() {
	echo "$3" >"$work/$2"
	! env/release --steps="$1" ../out >../said 2>&1 || fail "$1 is taken while $2 does: $3"
	! grep -q "^$1	" ../out/checklist || fail "$1 failed, and is in the list"
	rm "$work/$2"
}
env/release --dry-run ../out >../said 2>&1 || fail "the whole list: $(cat ../said)"
! grep -q '^Not taken' ../said || fail "steps that were not taken: $(cat ../said)"
[ -z "$(git tag)" ] || fail '--dry-run makes a tag'
fails clone names.sh 'echo "symbol b"'
fails check check 'exit 1'
fails docs failing tests/package/b.sh
printf '%s\n' tests/examples/a.sh >"$work/failing"
env/release --steps=examples ../out >../said 2>&1 || fail "a test of times that fails once: $(cat ../said)"
grep -q '^examples	.*	1 passed, 0 skipped, 1 of them when repeated$' ../out/checklist ||
	fail "a test of times that fails once: $(cat ../out/checklist)"
fails examples failing "$(printf '%s\n' tests/examples/a.sh tests/examples/a.sh)"
fails dist dist "date +%N >\"\$1/kinst-$version.tar.xz\""
fails packages deb 'date +%N >"$1/a.deb"'
fails packages lintian 'exit 1'
! env/release --steps=tag ../out >../said 2>&1 || fail 'a release whose steps failed'
grep -q 'not taken for .*: clone check examples docs dist packages$' ../said || fail "steps that failed: $(cat ../said)"

# Steps that were taken before need not be taken again, but for another commit.  What is committed meanwhile is not tagged.
was=$(git rev-parse HEAD)
echo 'git commit -q --allow-empty -m later; echo repeated: a; echo repeated: a; echo repeated: b; echo 7 passed, 0 failed' \
	>"$work/check"
env/release --steps=clone,check,examples,docs,dist,packages,tag ../out >../said 2>&1 || fail "the release: $(cat ../said)"
[ "$(git tag)" = "v$version" ] || fail "tags: $(git tag)"
rm "$work/check"
[ "$was" != "$(git rev-parse HEAD)" ] || fail 'nothing was committed meanwhile'
[ "$(git rev-parse "v$version^{commit}")" = "$was" ] || fail 'the tag is of another commit'
git reset -q --hard "$was"
git cat-file tag "v$version" >../tag
for step in version clone check examples docs dist packages abi; do
	grep -q "^$step	" ../tag || fail "the tag does not say that $step was taken: $(cat ../tag)"
done
grep -qx "Checked: $(git rev-parse HEAD)" ../tag || fail 'the tag does not say what was checked'
grep -q '^check	.*	7 passed, 0 failed, 2 of them when repeated$' ../tag || fail "how the check ended: $(cat ../tag)"
grep -q '^docs	.*	1 passed, 1 skipped$' ../tag || fail "how the tests of documents ended: $(cat ../tag)"
(cd ../out && sed -n 's/^\([0-9a-f]\{64\}  \)/\1/p' ../tag | sha256sum --quiet -c) || fail 'the checksums of the tag'
grep -q "kinst-$version.tar.xz" ../tag && grep -q 'packages/a.deb' ../tag || fail 'the tag lacks checksums'
stops 'a version that has a tag' "v$version: is a tag already"
echo >>NEWS
commit more
! env/release --steps=tag ../out >../said 2>&1 || fail 'what was checked for another commit is taken for this one'
[ ! -e ../out/packages ] || fail 'packages of another commit are kept'
grep -q 'not taken for .*: version clone' ../said || fail "steps of another commit: $(cat ../said)"
! env/release --steps=sing ../out >../said 2>&1 || fail 'an unknown step is taken'
! env/release --steps=version >../said 2>&1 || fail 'a release without a folder'
