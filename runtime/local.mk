# runtime: libompp, linked into the measured program
noinst_LTLIBRARIES += libompp_base.la
libompp_base_la_SOURCES = runtime/base/arena.c runtime/base/arena.h \
	runtime/base/text.c runtime/base/text.h runtime/base/write.c runtime/base/write.h \
	runtime/base/construct.c runtime/base/construct.h runtime/core/ctc.c runtime/core/ctc.h
