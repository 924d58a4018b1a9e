/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of the screen, "name=value": one table of what they are called, take, and do. */
#include <string.h>

#include "app/show/show.h"
#include "host/paths.h"
#include "views/curves/curves_view.h"
#include "widgets/chart.h"

/* Index of a name in a NULL-terminated list; LP_EINVAL with what there is. */
LpErr lp_app_read_name(const char *what, const char *const *names, const char *name, int *out,
                       LpDiag *diag) {
    LpBuf list = {0};
    char shown[64];
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = i;
            lp_buf_fini(&list);
            return LP_OK;
        }
        lp_buf_addf(&list, "%s%s", i ? ", " : "", names[i]);
    }
    lp_fail(diag, LP_EINVAL, "there is no %s \"%s\": expected %s", what,
            lp_str_show(shown, sizeof shown, name), lp_buf_text(&list));
    lp_buf_fini(&list);
    return LP_EINVAL;
}

LpErr lp_app_set_theme(LpApp *app, const char *name, LpDiag *diag) {
    bool plain = app->theme.plain;
    LP_TRY(lp_theme_open(name, app->scenario_file, &app->theme, diag));
    app->theme.plain = plain;
    app->redraw = true;
    return LP_OK;
}

static LpErr set_motion(LpApp *app, const char *value, LpDiag *diag) {
    static const char *const names[] = {"off", "on", "slow", "fast", NULL};
    int index;
    LP_TRY(lp_app_read_name("value", names, value, &index, diag));
    app->motion = index == 0 ? LP_MOTION_OFF : LP_MOTION_ON;
    if (index < 2)
        return LP_OK;
    lp_app_pace(app, index == 2 ? LP_SPEED_QUARTER : LP_SPEED_4X, 0);
    lp_app_say(app, false, "motion=%s is the pace %s now: :pace %s", names[index],
               lp_speed_name(app->ui.speed), index == 2 ? "0.25" : "4");
    return LP_OK;
}

static LpErr set_ascii(LpApp *app, const char *value, LpDiag *diag) {
    static const char *const names[] = {"on", "off", NULL};
    int index;
    LP_TRY(lp_app_read_name("value", names, value, &index, diag));
    app->canvas.ascii = index == 0;
    return LP_OK;
}

static LpErr set_curve(LpApp *app, const char *value, LpDiag *diag) {
    static const char *const names[] = {"arrived", "completed", NULL};
    int index;
    LP_TRY(lp_app_read_name("value", names, value, &index, diag));
    app->ui.completed_only = index == 1;
    return LP_OK;
}

static LpErr set_axis(LpApp *app, const char *value, LpDiag *diag) {
    static const char *const names[] = {"log", "linear", NULL};
    int index;
    LP_TRY(lp_app_read_name("value", names, value, &index, diag));
    LpHost host = lp_app_host(app, 0);
    lp_curves_axis(&host, index == 1);
    return LP_OK;
}

static LpErr set_plot(LpApp *app, const char *value, LpDiag *diag) {
    const char *inks[LP_CHART_INK_COUNT + 1] = {NULL};
    int index;
    for (int i = 0; i < LP_CHART_INK_COUNT; i++)
        inks[i] = lp_chart_ink_name((LpChartInk)i);
    LP_TRY(lp_app_read_name("value", inks, value, &index, diag));
    LpHost host = lp_app_host(app, 0);
    lp_curves_ink(&host, index);
    return LP_OK;
}

static const struct {
    const char *name, *values, *help; /* values: a line each; NULL: the themes */
    LpErr (*set)(LpApp *app, const char *value, LpDiag *diag);
} settings[] = {
    {"theme", NULL, "colours", lp_app_set_theme},
    {"motion", "slow\non\nfast\noff\n", "how decisions and events are shown in steps", set_motion},
    {"ascii", "on\noff\n", "signs of plain ASCII only", set_ascii},
    {"curve", "arrived\ncompleted\n", "what the JCT curve is a share of", set_curve},
    {"axis", "log\nlinear\n", "the axis of the JCT curve, log: the same for a whole run", set_axis},
    {"plot", "braille\nblock\n", "how curves are drawn", set_plot},
};

LpErr lp_app_set(LpApp *app, const char *word, LpDiag *diag) {
    const char *names[LP_COUNTOF(settings) + 1] = {NULL};
    char name[64];
    int index;
    size_t len = strcspn(word, "=");
    lp_str_copy(name, len + 1 < sizeof name ? len + 1 : sizeof name, word);
    for (size_t i = 0; i < LP_COUNTOF(settings); i++)
        names[i] = settings[i].name;
    LP_TRY(lp_app_read_name("setting", names, name, &index, diag));
    if (word[len] != '=')
        return lp_fail(diag, LP_EINVAL, "expected %s=VALUE", name);
    return settings[index].set(app, word + len + 1, diag);
}

void lp_app_words_themes(LpBuf *out) {
    (void)!lp_paths_list_themes(out, NULL);
}

void lp_app_words_settings(LpBuf *out) {
    for (size_t i = 0; i < LP_COUNTOF(settings); i++) {
        LpBuf values = {0};
        if (settings[i].values)
            lp_buf_add(&values, settings[i].values);
        else
            lp_app_words_themes(&values);
        for (const char *at = lp_buf_text(&values); *at; at += strcspn(at, "\n") + 1)
            lp_buf_addf(out, "%s=%.*s\n", settings[i].name, (int)strcspn(at, "\n"), at);
        lp_buf_fini(&values);
    }
}

/* "set axis=<tab>the axis of the JCT curve: log, linear" */
static void tell(size_t setting, LpBuf *out) {
    const char *gap = "", *values = settings[setting].values;
    lp_buf_addf(out, "set %s=\t%s: ", settings[setting].name, settings[setting].help);
    for (const char *at = values; at && *at; at += strcspn(at, "\n") + 1) {
        lp_buf_addf(out, "%s%.*s", gap, (int)strcspn(at, "\n"), at);
        gap = ", ";
    }
    lp_buf_add(out, values ? "\n" : "dark, light ...; :theme completes\n");
}

void lp_app_tell_settings(LpBuf *out) {
    for (size_t i = 0; i < LP_COUNTOF(settings); i++)
        tell(i, out);
}

bool lp_app_tell_setting(const char *name, LpBuf *out) {
    for (size_t i = 0; i < LP_COUNTOF(settings); i++) {
        if (strcmp(settings[i].name, name) != 0)
            continue;
        tell(i, out);
        return true;
    }
    return false;
}
