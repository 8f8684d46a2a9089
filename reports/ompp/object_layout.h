/*
 * Object layout: ompp objects --layout.
 */
#ifndef OMPP_OMPP_OBJECT_LAYOUT_H
#define OMPP_OMPP_OBJECT_LAYOUT_H

/* Prints the structures of which the objects of a profile are made, each as a declaration with the accesses to its
 * members beside it.  Returns the exit status. */
int ompp_object_layout(const char *path);

#endif
