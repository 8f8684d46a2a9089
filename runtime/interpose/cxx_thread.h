/*
 * C++ thread: finds the function that std::thread runs.
 *
 * The constructor of std::thread creates a state with a virtual function that calls what the thread is to run.  Each
 * lambda has such a function of its own.  But all functions of one type share one, as in std::thread(read) and
 * std::thread(write).  The symbol of the virtual function tells that it calls by a pointer, which is then the last
 * member of the state, after the arguments.
 */
#ifndef OMPP_CXX_THREAD_H
#define OMPP_CXX_THREAD_H

#include <stdint.h>

/* Returns the address of the function that a state of libstdc++'s std::thread will run, by which its region is known:
 * that of the program where it is called by a pointer, and that pointer can be told; else the state's own. */
uintptr_t ompp_cxx_thread_function(const uintptr_t *state);

#endif
