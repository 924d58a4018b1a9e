/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/state/event.h"

const LpEventRow lp_event_rows[LP_EVENT_COUNT] = {
#define X(id, name, traced, traits, what) {name, traced, what, traits},
    LP_EVENTS(X)
#undef X
};
