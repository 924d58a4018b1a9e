/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy: why it decided, what that took, its parameters, and its source with the line that
 * decided. */
#include "views/policy/policy_view_impl.h"
#include "widgets/lines.h"

#include <stdio.h>
#include <string.h>

#include "session/failure.h"
#include "widgets/widgets_list.h"

enum { HEAD_MOST = 13, NUMBER_COLS = 5, TRACE_MOST = 5 };

/* A line above the source. */
typedef struct Head {
    LpStyle style;
    const char *label;
    LpBuf text;
} Head;

static void add_why(const LpDecision *decision, Head *head) {
    const char *why = decision->answer ? decision->answer->why : decision->why.why;
    const char *where = decision->answer ? decision->answer->where : decision->why.where;
    head->label = "why";
    head->style = decision->error ? LP_ROLE_BAD : LP_ROLE_TEXT;
    if (decision->error)
        lp_buf_addf(&head->text, "%s", decision->error->text);
    else if (why && *why)
        lp_buf_addf(&head->text, "\"%s\"%s%s", why, where && *where ? " " : "", where ? where : "");
    else
        lp_buf_addf(&head->text, "it gave no reason%s%s", where && *where ? ": " : "",
                    where ? where : "");
}

/* Calls that were under way, a line each. */
static int add_traceback(const LpModel *model, Head *head, int count) {
    const char *at = model->policy.traceback;
    for (int i = 0; model->decision.error && *at && i < TRACE_MOST; i++) {
        size_t len = strcspn(at, "\n");
        head[count].label = i == 0 ? "called" : "";
        head[count].style = LP_ROLE_MUTED;
        lp_buf_add_bytes(&head[count++].text, at, len);
        at += len + (at[len] == '\n');
    }
    return count;
}

/* Adds what the policy was asked when it failed. */
static int add_asked(const LpModel *model, Head *head, int count) {
    const LpFailure *failure = lp_session_failure_here(model->session);
    if (!model->decision.error || !failure)
        return count;
    head[count].label = "asked";
    head[count].style = LP_ROLE_MUTED;
    lp_buf_addf(&head[count++].text, "%s in decision %llu. %s", failure->error.kind,
                (unsigned long long)failure->decision, failure->what);
    return count;
}

static int build_head(const LpModel *model, Head head[HEAD_MOST]) {
    int count = 0;
    if (*model->policy.doc) {
        head[count].label = "is";
        lp_buf_add(&head[count++].text, model->policy.doc);
    }
    if (model->decision.job != LP_NO_INDEX)
        add_why(&model->decision, &head[count++]);
    count = add_asked(model, head, count);
    count = add_traceback(model, head, count);
    head[count].label = "took";
    lp_words_cost(model, &head[count++].text);
    if (model->policy.params > 0) {
        head[count].label = "with";
        LpBuf *out = &head[count++].text;
        for (uint32_t i = 0; i < model->policy.params; i++) {
            LpPolicyParamValue param = lp_session_policy_param(model->session, i);
            lp_buf_addf(out, "%s%s=%s", i ? "  " : "", param.name, param.value);
        }
    }
    return count;
}

static int head_lines(const LpModel *model) {
    Head head[HEAD_MOST] = {0};
    int count = build_head(model, head);
    for (int i = 0; i < count; i++)
        lp_buf_fini(&head[i].text);
    return count;
}

const char *lp_view_policy_source(const LpModel *model) {
    return model->policy.source ? model->policy.source : "";
}

int lp_view_policy_last(const LpModel *model) {
    int lines = lp_lines_count(lp_view_policy_source(model));
    return lines > 0 ? lines - 1 : 0;
}

int lp_view_policy_first(const LpModel *model, int rows) {
    int room = rows - 2 - head_lines(model), lines = lp_lines_count(lp_view_policy_source(model));
    int line = lp_model_deciding_line(model);
    int first = model->ui->follow ? line - 1 - room / 2 : model->ui->scroll;
    return lp_list_from(first, lines, room);
}

static int draw_head(const LpModel *model, const LpArea *area) {
    Head head[HEAD_MOST] = {0};
    int count = build_head(model, head);
    for (int i = 0; i < count; i++) {
        lp_area_text(area, 0, i, LP_ROLE_LABEL, head[i].label);
        lp_area_fit(area, 7, i, area->rect.w - 7, head[i].style, lp_buf_text(&head[i].text));
        lp_area_done(area, &head[i].text);
    }
    return count;
}

static void draw_source(const LpModel *model, const LpArea *area, int first) {
    const char *at = model->policy.source;
    int deciding = lp_model_deciding_line(model);
    for (int line = 1; *at && line - first <= area->rect.h; line++) {
        size_t len = strcspn(at, "\n");
        int y = line - 1 - first;
        LpBuf text = {0};
        /* Tabs as two blanks: editors differ, and columns are few. */
        for (size_t i = 0; i < len; i++) {
            if (at[i] == '\t')
                lp_buf_add(&text, "  ");
            else if (at[i] != '\r')
                lp_buf_add_bytes(&text, at + i, 1);
        }
        const char *start = lp_buf_text(&text);
        bool comment = strncmp(start + strspn(start, " "), "--", 2) == 0;
        if (y >= 0) {
            char number[16];
            snprintf(number, sizeof number, "%d", line);
            lp_area_right(area, NUMBER_COLS - 1, y, LP_ROLE_MUTED, number);
            lp_area_fit(area, NUMBER_COLS + 1, y, area->rect.w - NUMBER_COLS - 1,
                        comment ? LP_ROLE_MUTED : LP_ROLE_TEXT, start);
        }
        if (y >= 0 && line == deciding) {
            lp_area_glyph(area, 0, y, LP_ROLE_PENDING, LP_GLYPH_POINTER);
            lp_area_mark(area, NUMBER_COLS, y, area->rect.w - NUMBER_COLS, LP_REVERSE);
        }
        lp_area_done(area, &text);
        at += len + (at[len] == '\n');
    }
}

void lp_view_policy(const LpModel *model, const LpArea *area) {
    const char *dash = lp_glyph_text(LP_GLYPH_HORIZONTAL, area->canvas->ascii);
    const char *slash = strrchr(model->policy.path, '/');
    char title[200];
    snprintf(title, sizeof title, "POLICY %.*s", (int)lp_str_prefix(model->policy.name, 60),
             model->policy.name);
    const char *file = slash ? slash + 1 : model->policy.path;
    if (*model->policy.path)
        snprintf(title, sizeof title, "POLICY %.*s %s %.*s",
                 (int)lp_str_prefix(model->policy.name, 60), model->policy.name, dash,
                 (int)lp_str_prefix(file, 100), file);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    int head = draw_head(model, &inside), rows = inside.rect.h - head - 1;
    if (!model->policy.source || rows < 1)
        return;
    lp_area_repeat(&inside, 0, head, inside.rect.w, LP_ROLE_BORDER, LP_GLYPH_HORIZONTAL);
    LpArea source = lp_area_part(&inside, (LpRect){0, head + 1, inside.rect.w, rows});
    draw_source(model, &source, lp_view_policy_first(model, area->rect.h));
}
