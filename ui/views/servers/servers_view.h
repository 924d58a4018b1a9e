/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of servers. */
#ifndef LP_UI_VIEWS_SERVERS_SERVERS_H
#define LP_UI_VIEWS_SERVERS_SERVERS_H

#include "moment/view.h"

extern const LpView lp_servers_view;

#endif
