/*
 * Folders: where libompp, ompp.h and ompp.mod are, seen from the running kinst, so that a build tree, a
 * DESTDIR and a moved installation work.
 */
#ifndef KINST_FOLDERS_H
#define KINST_FOLDERS_H

/* The folder of libompp: $KINST_LIBDIR, beside the program, or as configured.  The caller frees it. */
char *kinst_folders_library(void);

/* The folder of ompp.h and ompp.mod: $KINST_INCLUDEDIR, and so on. */
char *kinst_folders_include(void);

#endif
