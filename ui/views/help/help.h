/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies over the screen: help, pages, and the line that is typed. */
#ifndef LP_UI_VIEWS_HELP_HELP_H
#define LP_UI_VIEWS_HELP_HELP_H

#include "moment/view.h"

/* Over everything else. */
void lp_view_help(const LpModel *model, const LpArea *area);
/* The help's size on a screen of so many columns, box included: for its place and for scrolling. */
void lp_view_help_size(const LpModel *model, int cols, int *width, int *lines);

/* A text over everything else, in the form of lp_flow_draw; its size, box included. */
void lp_view_page(const LpModel *model, const LpArea *area);
void lp_view_page_size(const char *text, int cols, int *width, int *lines);
/* The word that is explained: marked where it stands on the canvas, in a box that leaves it to be
 * seen. */
void lp_view_words(const LpModel *model, LpCanvas *canvas);
/* The command line, and above it what is known about what is being typed. */
void lp_view_prompt(const LpModel *model, const LpArea *area);

#endif
