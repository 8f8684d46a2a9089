/*
 * Publish: tells a watcher where the threads, their call trees and the regions are in this process's memory
 * (host/published.h).  The watcher reads them from there; events in the program do no work for it.
 */
#ifndef OMPP_EVENTS_PUBLISH_H
#define OMPP_EVENTS_PUBLISH_H

/* Called once, at the end of the session's start.  COLD. */
void ompp_publish_layout(void);

#endif
