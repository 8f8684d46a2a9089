# reports: profile, views, writers (also part of libompp) and the program ompp
noinst_LTLIBRARIES += libompp_reports.la
libompp_reports_la_SOURCES = reports/profile/profile.h
