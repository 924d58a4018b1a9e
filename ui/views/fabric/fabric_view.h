/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fabric as a picture: groups, racks and servers, and the light between them. */
#ifndef LP_UI_VIEWS_FABRIC_FABRIC_H
#define LP_UI_VIEWS_FABRIC_FABRIC_H

#include "moment/view.h"

extern const LpView lp_fabric_view;

#endif
