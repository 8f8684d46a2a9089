/*
 * Own: marks the files of the libraries that go into programs; the build puts this header in front of each.  The mark
 * is a local symbol that takes no memory: it says that the static data of the file are not the program's
 * (program/variable.c).
 */
__asm__("ompp_own = 0");
