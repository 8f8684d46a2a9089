/*
 * C++ thread: finds the function that std::thread runs.
 *
 * The constructor of std::thread makes a state, whose table of virtual functions has one that calls what the thread is
 * to run: a lambda has such a function of its own, but all functions of one type have one together, std::thread(read)
 * and std::thread(write).  The type says so in its symbol, and the state has the pointer behind the arguments.
 */
#ifndef OMPP_CXX_THREAD_H
#define OMPP_CXX_THREAD_H

#include <stdint.h>

/* Returns the address of the function that a state of libstdc++'s std::thread will run, by which its region is known:
 * that of the program where it is called by a pointer, and that pointer can be told; else the state's own. */
uintptr_t ompp_cxx_thread_function(const uintptr_t *state);

#endif
