/*
 * Folders: where libompp, ompp.h and ompp.mod are.
 *
 * They are searched for relative to the running kinst, so that a build tree, a DESTDIR and a moved installation work.
 */
#ifndef KINST_FOLDERS_H
#define KINST_FOLDERS_H

/*
 * Returns the folder of libompp, which the caller frees: $KINST_LIBDIR, or the folder beside the program, or the one
 * that was configured.
 */
char *kinst_folders_library(void);

/* Returns the folder of ompp.h and ompp.mod in the same way; the variable is $KINST_INCLUDEDIR. */
char *kinst_folders_include(void);

/* Returns the folder with the sources of the plug-in for gcc in the same way; the variable is $KINST_PLUGINDIR. */
char *kinst_folders_plugin(void);

#endif
