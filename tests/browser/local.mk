# browser: pages in headless Chromium (browser.py drives it); without chromium, its driver and python3-selenium: skipped
check_PROGRAMS += tests/browser/profiles
tests_browser_profiles_SOURCES = tests/browser/profiles.c tests/golden/example.c tests/golden/example_samples.c \
	tests/golden/example.h
tests_browser_profiles_LDADD = libompp_reports.la libompp_base.la
script_tests += tests/browser/report.sh
turn_tests += tests/browser/compare.sh tests/browser/flow.sh tests/browser/examples.sh tests/browser/history.sh tests/browser/live.sh \
	tests/browser/pages.sh tests/browser/ranks.sh tests/browser/reuse.sh tests/browser/roofline.sh \
	tests/browser/span.sh
slow_tests += tests/browser/big.sh tests/browser/live_long.sh
EXTRA_DIST += tests/browser/address.sh tests/browser/big.py tests/browser/browser.py tests/browser/browser.sh \
	tests/browser/compare.py tests/browser/flow.py \
	tests/browser/examples.py tests/browser/history.py \
	tests/browser/live.py tests/browser/pages.py tests/browser/ranks.py tests/browser/report.py tests/browser/reuse.py tests/browser/roofline.py \
	tests/browser/span.py
