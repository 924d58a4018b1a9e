/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the lines of a learning curve, and as a study: what is read is drawn at several
 * sizes, what is not has a message. */
#include "fuzz.h"

#include "views/learning/learning_charts.h"
#include "views/study/study_charts.h"

static const int sizes[][2] = {{24, 80}, {60, 200}, {7, 20}};

static LpCanvas canvas_of(size_t i) {
    LpCanvas canvas = {.ascii = i == 1};
    if (lp_canvas_resize(&canvas, sizes[i][0], sizes[i][1], NULL) != LP_OK)
        abort();
    return canvas;
}

static void draw_curve(const LpLearnCurve *curve) {
    LpLearnSeries series[2] = {{"a", curve}, {"b", curve}};
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++)
        for (int two = 1; two <= 2; two++) {
            LpLearnState state = {.cursor = two == 2 ? 0.5 : -1.0, .evaluated = two == 2};
            LpLearnCharts charts = {two, series, &state};
            LpCanvas canvas = canvas_of(i);
            LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, canvas.cols, canvas.rows});
            lp_learn_draw(&charts, &area);
            lp_canvas_fini(&canvas);
        }
}

/* Are there lines, and is each an update? */
static bool read_lines(const char *text, size_t len) {
    LpLearnCurve curve = {0};
    bool good = true;
    for (size_t at = 0, line = 1; at < len; line++) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t part = end != NULL ? (size_t)(end - text) - at : len - at;
        LpLearnPoint point;
        LpDiag diag = {0};
        LpBuf copy = {0};
        lp_buf_add_bytes(&copy, text + at, part);
        LpErr err = lp_learn_parse("f", (int)line, lp_buf_text(&copy), copy.len, &point, &diag);
        if (err == LP_OK && lp_learn_add(&curve, &point, &diag) != LP_OK)
            abort();
        if (err != LP_OK && diag.text[0] == '\0')
            abort();
        good = good && err == LP_OK;
        lp_buf_fini(&copy);
        at += part + 1;
    }
    draw_curve(&curve);
    lp_learn_fini(&curve);
    return good && len > 0;
}

static bool read_study(const char *text, size_t len) {
    LpStudyData study;
    LpDiag diag = {0};
    LpBuf printed = {0};
    if (lp_study_parse("f", text, len, &study, &diag) != LP_OK) {
        if (diag.text[0] == '\0')
            abort();
        return false;
    }
    for (size_t i = 0; i < LP_COUNTOF(sizes); i++)
        for (int m = 0; m < LP_STUDY_METRIC_COUNT; m++) {
            LpStudyState state = {.metric = (LpStudyMetric)m, .point = m - 1, .table = m == 3};
            LpCanvas canvas = canvas_of(i);
            LpArea area = lp_canvas_area(&canvas, (LpRect){0, 0, canvas.cols, canvas.rows});
            lp_study_draw(&study, &state, &area);
            lp_canvas_fini(&canvas);
        }
    if (lp_study_print(&study, 80, true, &printed, NULL) != LP_OK)
        abort();
    lp_buf_fini(&printed);
    lp_study_fini(&study);
    return true;
}

FUZZ_TARGET(curves)(const uint8_t *data, size_t size) {
    char *text = lp_fuzz_text(data, size);
    bool lines = read_lines(text, size), study = read_study(text, size);
    free(text);
    return lines || study;
}
