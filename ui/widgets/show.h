/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as the screen shows them: short, with a unit, thousands set apart by a space. */
#ifndef LP_UI_WIDGETS_SHOW_H
#define LP_UI_WIDGETS_SHOW_H

#include <stddef.h>
#include <stdint.h>

enum { LP_SHOW_TEXT = 40 };

/* Each writes into buf and returns it. A value that is not known (NAN) shows as "-". */

/* "1.83 ms", "366 s", "18 336 s"; INFINITY "never". */
const char *lp_show_seconds(double seconds, char buf[LP_SHOW_TEXT]);
/* A time as people say it: from a minute on in its two largest units, "33 min", "3 h 12 min"; else
 * as lp_show_seconds. */
const char *lp_show_span(double seconds, char buf[LP_SHOW_TEXT]);
/* s below which lp_show_left writes seconds, so that of several times the longest is the widest
 * from 100 s on; 0: none, such a clock has other units. */
double lp_show_left_plain(double scale);
/* Time that is left on such a clock, always in seconds: "0.40 s", "6.04 s", "12.3 s", "18 336 s";
 * of a clock that runs for less than a second as lp_show_seconds. */
const char *lp_show_left(double seconds, double scale, char buf[LP_SHOW_TEXT]);
/* A moment on a clock that runs up to `scale` seconds: the same number of decimals for all moments
 * of one run, "5 000.0", without a unit. */
const char *lp_show_clock(double seconds, double scale, char buf[LP_SHOW_TEXT]);
/* 0.58 as "58 %", small shares with decimals. */
const char *lp_show_percent(double share, char buf[LP_SHOW_TEXT]);
/* "36 668" */
const char *lp_show_count(uint64_t count, char buf[LP_SHOW_TEXT]);
/* "12.3 GB" */
const char *lp_show_bytes(double bytes, char buf[LP_SHOW_TEXT]);

/* The smallest of 1, 2, 5 times a power of ten that is >= value > 0: the end of an axis. */
double lp_show_nice(double value);

#endif
