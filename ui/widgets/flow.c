/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in paragraphs: headings, and what a name means beside the name. */
#include "widgets/flow.h"

#include <string.h>

#include "base/str.h"

enum { NAME_MOST = 30, NARROW = 60, NAME_NARROW = 11 };

/* Where the text is drawn, or, with area NULL, only counted. */
typedef struct Flow {
    const LpArea *area;
    int width, y, first; /* y: line of the text; first: the first one shown */
    int end;             /* column after what the last row of the area shows */
} Flow;

/* May a line end between characters of these columns? Wide ones need no blank. */
static bool may_end(int before, int after) {
    return after != 0 && (before == 2 || after == 2);
}

static int columns_at(const char *text, size_t len, size_t *bytes) {
    uint32_t cp;
    *bytes = lp_utf8_decode(text, len, &cp);
    int columns = lp_utf8_columns(cp);
    return columns < 0 ? 1 : columns;
}

/* Columns of a piece of text as far as it fits into `room`, cut at a blank or beside a wide
 * character where there is one; *used: its bytes. */
static int fit(const char *text, size_t len, int room, size_t *used) {
    size_t at = 0, end = 0, bytes;
    int count = 0, count_end = 0, before = 1, columns = 1;
    while (at < len && count + (columns = columns_at(text + at, len - at, &bytes)) <= room) {
        if (text[at] == ' ' || (at > 0 && may_end(before, columns)))
            end = at, count_end = count;
        at += bytes;
        count += columns;
        before = columns > 0 ? columns : before;
    }
    if (at < len && text[at] != ' ' && !may_end(before, columns) && end > 0)
        at = end, count = count_end;
    *used = at;
    return count;
}

size_t lp_flow_line(const char *text, int width, size_t *next) {
    size_t used;
    fit(text, strlen(text), width > 8 ? width : 8, &used);
    *next = used + strspn(text + used, " ");
    return used;
}

static void put(Flow *flow, int x, int width, LpStyle style, const char *text, size_t len) {
    char line[LP_CANVAS_MAX * 4];
    if (!flow->area || flow->y < flow->first)
        return;
    lp_str_copy(line, len + 1 < sizeof line ? len + 1 : sizeof line, text);
    int end = lp_area_fit(flow->area, x, flow->y - flow->first, width, style, line);
    if (flow->y - flow->first == flow->area->rect.h - 1)
        flow->end = end;
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

static bool is_heading(const char *text, size_t len) {
    return (len > 2 && strncmp(text, "# ", 2) == 0) || (len > 3 && strncmp(text, "#= ", 3) == 0);
}

static bool begins_table(const char *text) {
    return strncmp(text, "#= ", 3) == 0;
}

static int characters(const char *text, size_t len) {
    size_t used;
    return fit(text, len, (int)len + 1, &used);
}

/* Columns of the names of a table: the longest, within reason; longer ones stand above. */
static int name_columns(const char *text, int width) {
    int most = 0, limit = width < NARROW ? NAME_NARROW : NAME_MOST;
    for (bool first = true; *text && (first || !begins_table(text)); first = false) {
        size_t line = strcspn(text, "\n"), name = strcspn(text, "\t\n");
        int columns = name < line ? characters(text, name) : 0;
        most = columns > most && columns <= limit ? columns : most;
        text += line + (text[line] == '\n');
    }
    return most;
}

static void flow_text(Flow *flow, const char *text) {
    int names = name_columns(text, flow->width);
    while (*text) {
        size_t len = strcspn(text, "\n");
        if (begins_table(text))
            names = name_columns(text, flow->width);
        const char *tab = memchr(text, '\t', len);
        if (is_heading(text, len)) {
            size_t mark = begins_table(text) ? 3 : 2;
            paragraph(flow, 0, LP_ROLE_LABEL, text + mark, len - mark);
        } else if (!tab) {
            paragraph(flow, 0, LP_ROLE_TEXT, text, len);
        } else {
            size_t name = (size_t)(tab - text);
            if (characters(text, name) > names) /* too long to stand beside what it means */
                paragraph(flow, 2, LP_ROLE_KEY, text, name);
            else
                put(flow, 2, flow->width - 2, LP_ROLE_KEY, text, name);
            paragraph(flow, names + 4, LP_ROLE_TEXT, tab + 1, len - name - 1);
        }
        text += len + (text[len] == '\n');
    }
}

int lp_flow_draw(const LpArea *area, const char *text, int width, int first) {
    Flow flow = {area, width, 0, first, 0};
    flow_text(&flow, text);
    if (area && area->rect.h > 0 && flow.y - first > area->rect.h) /* there is more */
        lp_area_glyph(area, flow.end < area->rect.w ? flow.end : area->rect.w - 1, area->rect.h - 1,
                      LP_ROLE_MUTED, LP_GLYPH_ELLIPSIS);
    return flow.y;
}
