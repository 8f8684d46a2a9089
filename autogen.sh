#!/bin/sh
# Makes configure and the Makefile templates from configure.ac and Makefile.am.
set -e
cd "$(dirname "$0")"
exec autoreconf --install --force --warnings=all,no-obsolete
