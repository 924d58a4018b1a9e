/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of circuits. */
#ifndef LP_UI_VIEWS_CIRCUITS_CIRCUITS_H
#define LP_UI_VIEWS_CIRCUITS_CIRCUITS_H

#include "moment/view.h"

extern const LpView lp_circuits_view;

#endif
