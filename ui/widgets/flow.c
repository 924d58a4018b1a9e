/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in paragraphs: headings, and what a name means beside the name. */
#include "widgets/flow.h"

#include <string.h>

#include "base/str.h"

enum { NAME_MOST = 26 };

/* Where the text is drawn, or, with area NULL, only counted. */
typedef struct Flow {
    const LpArea *area;
    int width, y, first; /* y: line of the text; first: the first one shown */
} Flow;

/* Characters of a piece of text as far as it fits into `room`, cut at a blank where there is one;
 * *used: its bytes. */
static int fit(const char *text, size_t len, int room, size_t *used) {
    size_t at = 0, blank = 0;
    int count = 0, count_blank = 0;
    while (at < len && count < room) {
        uint32_t cp;
        if (text[at] == ' ')
            blank = at, count_blank = count;
        at += lp_utf8_decode(text + at, len - at, &cp);
        count++;
    }
    if (at < len && text[at] != ' ' && blank > 0)
        at = blank, count = count_blank;
    *used = at;
    return count;
}

static void put(const Flow *flow, int x, int width, LpStyle style, const char *text, size_t len) {
    char line[LP_CANVAS_MAX * 4];
    if (!flow->area || flow->y < flow->first)
        return;
    lp_str_copy(line, len + 1 < sizeof line ? len + 1 : sizeof line, text);
    lp_area_fit(flow->area, x, flow->y - flow->first, width, style, line);
}

/* A paragraph from column x on; at least one line. */
static void paragraph(Flow *flow, int x, LpStyle style, const char *text, size_t len) {
    int room = flow->width - x > 8 ? flow->width - x : 8;
    do {
        size_t used;
        fit(text, len, room, &used);
        put(flow, x, room, style, text, used);
        flow->y++;
        while (used < len && text[used] == ' ')
            used++;
        text += used;
        len -= used;
    } while (len > 0);
}

/* Columns of the names: the longest, within reason. */
static int name_columns(const char *text, int width) {
    int most = 0;
    for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n')) {
        size_t line = strcspn(text, "\n"), name = strcspn(text, "\t\n"), used;
        int columns = name < line ? fit(text, name, NAME_MOST + 1, &used) : 0;
        most = columns > most && columns <= NAME_MOST ? columns : most;
    }
    return most < width / 2 ? most : width / 2;
}

static void line_of(Flow *flow, const char *text, size_t len, int names) {
    const char *tab = memchr(text, '\t', len);
    if (len > 2 && text[0] == '#' && text[1] == ' ') {
        paragraph(flow, 0, LP_ROLE_LABEL, text + 2, len - 2);
    } else if (!tab) {
        paragraph(flow, 0, LP_ROLE_TEXT, text, len);
    } else {
        size_t name = (size_t)(tab - text), used;
        int columns = fit(text, name, names + 1, &used);
        put(flow, 2, flow->width - 2, LP_ROLE_KEY, text, name);
        flow->y += columns > names; /* too long to stand beside what it means */
        paragraph(flow, names + 4, LP_ROLE_TEXT, tab + 1, len - name - 1);
    }
}

static void flow_text(Flow *flow, const char *text) {
    int names = name_columns(text, flow->width);
    while (*text) {
        size_t len = strcspn(text, "\n");
        line_of(flow, text, len, names);
        text += len + (text[len] == '\n');
    }
}

int lp_flow_draw(const LpArea *area, const char *text, int width, int first) {
    Flow flow = {area, width, 0, first};
    flow_text(&flow, text);
    return flow.y;
}
