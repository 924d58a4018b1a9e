/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a pod of cubes: a slice as a torus with its seams, the pairs of a switch, other
 * shapes of the job, and what can be rented while hosts fail. */
#ifndef LP_UI_VIEWS_POD_POD_H
#define LP_UI_VIEWS_POD_POD_H

#include "moment/view.h"

extern const LpView lp_pod_view;

#endif
