# applications: source packages of Debian, built by their own build systems with kinst as the compiler
slow_tests += \
	tests/applications/graphicsmagick.sh \
	tests/applications/healpix.sh \
	tests/applications/mumps.sh
EXTRA_DIST += tests/applications/application.sh tests/applications/fetch.sh tests/applications/plain.sh
