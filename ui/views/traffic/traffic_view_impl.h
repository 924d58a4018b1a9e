/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of traffic. */
#ifndef LP_UI_VIEWS_TRAFFIC_IMPL_H
#define LP_UI_VIEWS_TRAFFIC_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"

enum { LP_TRAFFIC_JOBS = 6 };

/* The samples of one job, the latest first. */
typedef struct LpTrafficJob {
    uint32_t job;
    LpSample *sample;
    size_t samples, cap;
} LpTrafficJob;

/* What the session keeps of the jobs that are shown, read at one moment. */
typedef struct LpTrafficFacts {
    LpTrafficJob job[LP_TRAFFIC_JOBS];
    uint32_t jobs;
    double most;  /* that any job ever sent, bytes/s */
    LpMoment of;  /* moment that it was read at */
    double until; /* time of that moment, s */
    bool known;
} LpTrafficFacts;

/* What was worked out for it (moment/view.h). */
static inline LpTrafficFacts *lp_traffic_facts(const LpModel *model) {
    return model->facts[LP_PANE_TRAFFIC];
}

void lp_view_traffic(const LpModel *model, const LpArea *area);

#endif
