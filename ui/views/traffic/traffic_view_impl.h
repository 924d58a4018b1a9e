/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of traffic. */
#ifndef LP_UI_VIEWS_TRAFFIC_IMPL_H
#define LP_UI_VIEWS_TRAFFIC_IMPL_H

#include "ask/inspect/series.h"
#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"

typedef struct LpTrafficFacts {
    LpSeries series; /* by job */
    LpMoment of;     /* moment that it was made for */
    double until;    /* time of that moment, s */
    bool known;
} LpTrafficFacts;

/* What was worked out for it (moment/view.h). */
static inline LpTrafficFacts *lp_traffic_facts(const LpModel *model) {
    return model->facts[LP_PANE_TRAFFIC];
}

void lp_view_traffic(const LpModel *model, const LpArea *area);

#endif
