/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the policy as a whole. */
#include "views/policy/policy_view.h"
#include "views/policy/policy_view_impl.h"
#include "widgets/lines.h"

static int count_lines(const LpModel *model) {
    return lp_lines_count(lp_view_policy_source(model));
}

static int line_at(const LpModel *model) {
    return model->ui->search_line >= 0 ? model->ui->search_line : model->ui->scroll;
}

static void print_line(const LpModel *model, int line, LpBuf *out) {
    lp_lines_add(lp_view_policy_source(model), line, out);
}

static void mark(LpHost *host, int line) {
    lp_ui_scroll_to(host->ui, line);
}

static const LpViewLines lines = {count_lines, line_at, print_line, mark};

static const LpViewKey keys[] = {
    {"Up Down", "scroll the source"},
    {"/", "search; then {next-decision} {match-back} next and previous match, {out} ends"},
    {NULL, NULL},
};

const LpView lp_policy_view = {
    .draw = lp_view_policy,
    .first = lp_view_policy_first,
    .last = lp_view_policy_last,
    .lines = &lines,
    .keys = keys,
};
