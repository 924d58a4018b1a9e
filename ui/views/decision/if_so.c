/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is chosen by hand at all stages beside what the policy answers, in numbers. */
#include <math.h>

#include "views/decision/decision_view_impl.h"

enum { LABEL = 9, VALUE = 9 }; /* columns */

/* A line of the table: what of a price it tells. */
typedef struct Line {
    const char *label;
    double (*of)(const LpPrice *price); /* NAN or 0 at both: the line is left out */
    const char *(*show)(double value, char text[LP_SHOW_TEXT]);
} Line;

static double jct(const LpPrice *price) {
    return price->jct;
}

static double of_limit(const LpPrice *price) {
    return price->of_limit;
}

static double step(const LpPrice *price) {
    return price->step_time;
}

static double dark(const LpPrice *price) {
    return price->dark;
}

static const Line lines[] = {{"JCT", jct, lp_show_seconds},
                             {"of limit", of_limit, lp_show_percent},
                             {"step", step, lp_show_seconds},
                             {"dark", dark, lp_show_seconds}};

static bool tells(const LpDraftModel *m, const Line *line) {
    double own = line->of(&m->own), other = line->of(&m->price);
    return (own > 0.0 && !isnan(own)) || (other > 0.0 && !isnan(other));
}

int lp_view_if_so_rows(const LpModel *model) {
    const LpDraftModel *m = &model->drafted;
    int rows = 0;
    if (!m->compared || !m->price.possible)
        return 0;
    for (size_t i = 0; i < LP_COUNTOF(lines); i++)
        rows += tells(m, &lines[i]);
    return rows > 0 ? 1 + rows : 0;
}

int lp_view_if_so_cols(void) {
    return LABEL + 2 * VALUE;
}

static void draw_value(const LpArea *area, int x, int y, LpStyle style, const Line *line,
                       const LpPrice *price) {
    char text[LP_SHOW_TEXT];
    double value = line->of(price);
    bool known = price->possible && !isnan(value);
    lp_area_right(area, x, y, known ? style : LP_ROLE_MUTED, known ? line->show(value, text) : "-");
}

void lp_view_if_so(const LpModel *model, const LpArea *area) {
    const LpDraftModel *m = &model->drafted;
    double own = m->own.possible ? m->own.jct : (double)NAN;
    LpStyle style = m->price.late || m->price.jct > own ? LP_ROLE_BAD
                    : m->price.jct < own                ? LP_ROLE_GOOD
                                                        : LP_ROLE_TEXT;
    int y = 0;
    lp_area_text(area, 0, y, LP_ROLE_LABEL, "IF SO");
    lp_area_right(area, LABEL + VALUE, y, LP_ROLE_LABEL, "policy");
    lp_area_right(area, LABEL + 2 * VALUE, y++, LP_ROLE_LABEL, "by hand");
    for (size_t i = 0; i < LP_COUNTOF(lines); i++) {
        if (!tells(m, &lines[i]))
            continue;
        lp_area_text(area, 0, y, LP_ROLE_LABEL, lines[i].label);
        draw_value(area, LABEL + VALUE, y, LP_ROLE_TEXT, &lines[i], &m->own);
        draw_value(area, LABEL + 2 * VALUE, y++, i == 0 ? style : LP_ROLE_TEXT, &lines[i],
                   &m->price);
    }
}
