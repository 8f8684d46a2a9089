# runtime: libompp, linked into the measured program
noinst_LTLIBRARIES += libompp_base.la
libompp_base_la_SOURCES = runtime/base/arena.c runtime/base/arena.h
