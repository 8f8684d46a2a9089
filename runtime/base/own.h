/*
 * Own: the build puts this in front of each file of the libraries that go into programs.  A local symbol, without
 * memory, says that the statics of the file are not the program's (variable.c).
 */
__asm__("ompp_own = 0");
