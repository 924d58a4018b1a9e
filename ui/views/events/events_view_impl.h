/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the view of events. */
#ifndef LP_UI_VIEWS_EVENTS_IMPL_H
#define LP_UI_VIEWS_EVENTS_IMPL_H

#include "moment/host.h"
#include "moment/picture/model.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "moment/view.h"
#include "views/events/events_facts.h"
#include "widgets/widgets_keys.h"

/* What the user did there, and what was worked out for it (moment/view.h). */
static inline LpEventLogState *lp_events_state(const LpModel *model) {
    return model->state[LP_PANE_EVENTS];
}

static inline LpEventLog *lp_events_facts(const LpModel *model) {
    return model->facts[LP_PANE_EVENTS];
}

/* On the main screen; all of them, where it has the screen for itself. */
void lp_view_events(const LpModel *model, const LpArea *area);
void lp_view_eventlog(const LpModel *model, const LpArea *area);
/* One event in a row; muted where it is still to come. */
void lp_view_event_line(const LpModel *model, const LpArea *area, int y, const LpEvent *event,
                        bool happened);

#endif
