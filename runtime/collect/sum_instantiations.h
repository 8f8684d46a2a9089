/*
 * Instantiations: finds the instantiations of templates in which regions of C++ stand.
 *
 * The handle of a region is a static variable of the function around it, so that each instantiation of a template has
 * one, and the variable's symbol has the whole name of the function.
 */
#ifndef OMPP_COLLECT_SUM_INSTANTIATIONS_H
#define OMPP_COLLECT_SUM_INSTANTIATIONS_H

/* Names the instantiations of regions that no earlier report has looked up.  Regions with the same place and
 * instantiation are shown as the first of them: handles of a function in a header that several files have, and of
 * instantiations in files without symbols.  Only one report at a time may call it. */
void ompp_instantiations_name(void);

#endif
