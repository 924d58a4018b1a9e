/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies over the screen: help, pages, and the line that is typed. */
#ifndef LP_UI_VIEWS_HELP_HELP_H
#define LP_UI_VIEWS_HELP_HELP_H

#include "moment/view.h"

/* Keys, columns and signs in the form of lp_flow_draw: those of the view that is shown first. */
void lp_view_help_text(const LpModel *model, bool ascii, LpBuf *out);

/* A text over everything else, in the form of lp_flow_draw; its size, box included. */
void lp_view_page(const LpModel *model, const LpArea *area);
void lp_view_page_size(const char *text, int cols, int *width, int *lines);
/* The word that is explained: marked where it stands on the canvas, in a box that leaves it to be
 * seen. */
void lp_view_words(const LpModel *model, LpCanvas *canvas);
/* The command line, and above it what is known about what is being typed. */
void lp_view_prompt(const LpModel *model, const LpArea *area);

#endif
