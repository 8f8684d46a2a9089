# release: the list of a release stops at what is not ready, and tags what is; --dry-run tags nothing.  The steps that take
# minutes are tests of their own.
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

env/release --steps=version,tag ../out >../said 2>&1 || fail "the release: $(cat ../said)"
[ "$(git tag)" = "v$version" ] || fail "tags: $(git tag)"
[ "$(git rev-parse "v$version^{commit}")" = "$(git rev-parse HEAD)" ] || fail 'the tag is of another commit'
git cat-file tag "v$version" | grep -q '^Steps that were taken: version$' || fail 'the tag does not say what was checked'
stops 'a version that has a tag' "v$version: is a tag already"
! env/release --steps=sing ../out >../said 2>&1 || fail 'an unknown step is taken'
! env/release --steps=version >../said 2>&1 || fail 'a release without a folder'
