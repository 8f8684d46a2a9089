# build: the tree and what is installed from it
script_tests += \
	tests/build/docs.sh \
	tests/build/install.sh \
	tests/build/layers.sh
