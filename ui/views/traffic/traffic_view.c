/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of traffic as a whole. */
#include "views/traffic/traffic_view.h"
#include "views/traffic/traffic_view_impl.h"

/* Steps of a run whose curves are made for every frame. */
enum { AT_ONCE = 400 };

/* Does what the curves show still do? Making them costs as much as the run without its policy:
 * while a long run plays they follow by eighths of it. */
static bool holds(const LpModel *model) {
    const LpTrafficFacts *facts = lp_traffic_facts(model);
    LpMoment at = model->time.moment, of = facts->of;
    uint64_t slack = model->ui->playing && of.step > AT_ONCE ? of.step / 8 : 0;
    return facts->known && of.branch == at.branch && of.step <= at.step &&
           at.step - of.step <= slack;
}

static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    LpTrafficFacts *facts = lp_traffic_facts(model);
    if (holds(model))
        return LP_OK;
    lp_series_fini(&facts->series);
    facts->known = false;
    LP_TRY(lp_series_make(session, &facts->series, diag));
    lp_series_by_job(&facts->series);
    facts->of = model->time.moment;
    facts->until = lp_world_now(model->world);
    facts->known = true;
    return LP_OK;
}

static void drop(void *facts) {
    lp_series_fini(&((LpTrafficFacts *)facts)->series);
}

const LpView lp_traffic_view = {
    .facts = sizeof(LpTrafficFacts),
    .drop = drop,
    .update = update,
    .draw = lp_view_traffic,
};
