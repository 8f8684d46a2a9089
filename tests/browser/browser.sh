# browser.sh: what tests of pages share.  To source behind lib.sh: . "$srcdir/tests/browser/browser.sh"
# browse FILE.py ARGUMENT… runs a test that imports browser.py; it is skipped where there is no browser.
for python in python3 /usr/bin/python3; do # where another python3 comes first in PATH, Debian's has Debian's packages
	"$python" -c 'import selenium.webdriver' 2>/dev/null && break
	python=
done
[ -n "$python" ] || skip 'python3-selenium is not installed'
CHROMIUM=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
	skip 'chromium is not installed'
CHROMEDRIVER=$(command -v chromedriver) || skip 'chromedriver (chromium-driver) is not installed'
export CHROMIUM CHROMEDRIVER
# chromedriver and the browser find each other by this name.
getent hosts localhost >/dev/null || skip 'the system does not know the name localhost (/etc/hosts)'
# The browser writes nothing into the user's folders, and asks no server of his.
HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_CACHE_HOME=$work/home TMPDIR=$work
export HOME XDG_CONFIG_HOME XDG_CACHE_HOME TMPDIR
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
mkdir -p "$HOME"
browse() {
	PYTHONPATH=$srcdir/tests/browser timeout "${BROWSE_SECONDS:-300}" "$python" "$@" || fail "$1"
}
