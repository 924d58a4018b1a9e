/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The board of circuit switches: which port is joined to which, what is lit, and how long the rest
 * still takes. A matrix of inputs and outputs where there is room for one, else a list. */
#include "views/circuits/ports.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "board/ports_draft.h"

enum { COLUMN = 38, NODE = 14, LABEL = 17, TEXT = 20 };

typedef LpPortBoard Board;

/* ---- names ---- */

static uint32_t node_number(const Board *b, uint32_t port) {
    uint32_t node = b->ocs->plug[port].node;
    return lp_port_is_server(b, port) ? node : node - b->ocs->servers;
}

static void print_node(const Board *b, uint32_t port, char *out, size_t size) {
    snprintf(out, size, lp_port_is_server(b, port) ? "server %u" : "aggregator %u",
             (unsigned)node_number(b, port));
}

/* Ports of the same node up to this one, from 1. */
static unsigned number_at_node(const Board *b, uint32_t port) {
    unsigned number = 1;
    for (uint32_t p = 0; p < port; p++)
        number += b->ocs->plug[p].node == b->ocs->plug[port].node;
    return number;
}

/* The running job whose server a port is, NULL: nobody's. */
static const LpRunning *job_of(const Board *b, uint32_t port) {
    if (!lp_port_is_server(b, port))
        return NULL;
    const LpRunning *job =
        lp_model_running(b->model, lp_world_server(b->model->world, b->ocs->plug[port].node)->job);
    return job != NULL && job->letter >= 0 ? job : NULL;
}

static LpStyle hue(const LpRunning *job, LpRole otherwise) {
    return job != NULL ? lp_letter_hue(job->job->id) : (LpStyle)otherwise;
}

static void put_letter(const LpArea *area, int x, int y, const LpRunning *job) {
    if (job != NULL)
        lp_letter_put(area, x, y, hue(job, LP_ROLE_TEXT), job->job->id, job->letter);
}

/* ---- circuits ---- */

/* Seconds until a circuit is lit; 0: it is. */
static double waits(const Board *b, const LpLit *c) {
    LpPortView view = lp_world_port(b->model->world, b->model->context, c->in);
    bool turning = view.state == LP_LIGHT_TURNING && view.out == c->out;
    return turning ? view.until - lp_world_now(b->model->world) : 0;
}

static bool joins(const Board *b, uint32_t in, uint32_t out) {
    const LpSchedule *s = b->schedule;
    return s->entries == 1 && out < s->ports && s->to[in] == out;
}

/* Both directions of a circuit are told once, at the lower port. */
static bool told_before(const Board *b, const LpLit *c) {
    return c->out < c->in && joins(b, c->out, c->in);
}

static const LpRunning *circuit_job(const Board *b, const LpLit *c) {
    const LpRunning *job = job_of(b, c->in);
    return job != NULL ? job : job_of(b, c->out);
}

static void draw_state(const Board *b, const LpArea *area, int x, int y, const LpLit *c) {
    char text[LP_SHOW_TEXT];
    double seconds = waits(b, c);
    if (seconds > 0)
        lp_area_textf(area, x, y, LP_ROLE_WAIT, "in %s", lp_show_seconds(seconds, text));
    else if (c->share < 1)
        lp_area_text(area, x, y, LP_ROLE_TEXT, lp_show_percent(c->share, text));
    else
        lp_area_text(area, x, y, LP_ROLE_GOOD, "lit");
}

/* ---- the list ---- */

static void draw_circuit(const Board *b, const LpArea *area, int x, int y, const LpLit *c) {
    char from[32], to[32];
    const LpRunning *job = job_of(b, c->in);
    LpStyle style = waits(b, c) > 0 ? (LpStyle)LP_ROLE_WAIT : hue(job, LP_ROLE_TEXT);
    print_node(b, c->in, from, sizeof from);
    print_node(b, c->out, to, sizeof to);
    put_letter(area, x, y, job);
    lp_area_fit(area, x + 2, y, NODE - 3, style, from);
    lp_area_text(area, x + NODE - 1, y, LP_ROLE_MUTED, joins(b, c->out, c->in) ? "=" : ">");
    lp_area_fit(area, x + NODE + 1, y, NODE - 2, style, to);
    draw_state(b, area, x + 2 * NODE, y, c);
}

/* Lines that the list wants. */
static int list_lines(const Board *b, const LpArea *area) {
    int columns = area->rect.w >= COLUMN ? area->rect.w / COLUMN : 1, shown = 0;
    for (uint32_t i = 0; i < b->count; i++)
        shown += !told_before(b, &b->circuit[i]);
    return (shown + columns - 1) / columns;
}

/* Returns the lines that it takes. */
static int draw_list(const Board *b, const LpArea *area) {
    int columns = area->rect.w >= COLUMN ? area->rect.w / COLUMN : 1, shown = 0, hidden = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        if (told_before(b, &b->circuit[i]))
            continue;
        if (shown / columns >= area->rect.h)
            hidden++;
        else
            draw_circuit(b, area, shown % columns * COLUMN, shown / columns, &b->circuit[i]);
        shown++;
    }
    if (shown == 0)
        lp_area_text(area, 0, 0, LP_ROLE_MUTED, "dark: no port is joined to another");
    if (hidden > 0)
        lp_area_textf(area, area->rect.w - 12, area->rect.h - 1, LP_ROLE_MUTED, "+ %d more",
                      hidden);
    return (shown + columns - 1) / columns;
}

/* ---- the matrix: a row for each input, a column for each output ---- */

static int pitch_of(const Board *b, const LpArea *area) {
    int ports = (int)b->schedule->ports;
    for (int pitch = 3; pitch > 0; pitch--)
        if (LABEL + pitch * ports + TEXT <= area->rect.w)
            return pitch;
    return 0;
}

static bool matrix_fits(const Board *b, const LpArea *area) {
    return (int)b->schedule->ports < area->rect.h && pitch_of(b, area) > 0;
}

/* Servers by their numbers where these have room, aggregators by name over all of their ports. */
static void draw_heads(const Board *b, const LpArea *area, int pitch) {
    int free = 0;
    for (uint32_t p = 0; p < b->schedule->ports; p++) {
        char text[32];
        uint32_t end = p + 1;
        int x = LABEL + (int)p * pitch;
        while (end < b->schedule->ports && b->ocs->plug[end].node == b->ocs->plug[p].node)
            end++;
        int room = (int)(end - p) * pitch - 1;
        if (room >= 5)
            print_node(b, p, text, sizeof text);
        else
            snprintf(text, sizeof text, lp_port_is_server(b, p) ? "%u" : "a%u",
                     (unsigned)node_number(b, p));
        if (x >= free)
            free = lp_area_fit(area, x, 0, room > 3 ? room : 3, LP_ROLE_MUTED, text) + 1;
        p = end - 1;
    }
}

static void draw_label(const Board *b, const LpArea *area, int y, uint32_t port) {
    char text[48];
    const LpRunning *job = job_of(b, port);
    size_t used;
    print_node(b, port, text, sizeof text);
    used = strlen(text);
    if (!lp_port_is_server(b, port) || number_at_node(b, port) > 1)
        snprintf(text + used, sizeof text - used, ".%u", number_at_node(b, port));
    put_letter(area, 0, y, job);
    lp_area_fit(area, 2, y, LABEL - 3, hue(job, LP_ROLE_MUTED), text);
}

static void draw_cell(const Board *b, const LpArea *area, int x, int y, const LpLit *c) {
    const LpRunning *job = circuit_job(b, c);
    LpStyle style = hue(job, LP_ROLE_TEXT);
    if (waits(b, c) > 0)
        lp_area_glyph(area, x, y, LP_ROLE_WAIT, LP_GLYPH_WAITING);
    else if (c->share < 1)
        lp_area_put(area, x, y, style, lp_glyph_height(c->share, b->ascii));
    else if (job != NULL)
        put_letter(area, x, y, job);
    else
        lp_area_glyph(area, x, y, style, LP_GLYPH_FULL);
}

/* "lit", "in 120 ms", or of a cycle "1 56 %, 2 40 %": outputs with their shares. */
static void draw_words(const Board *b, const LpArea *area, int x, int y, uint32_t first) {
    const LpLit *c = &b->circuit[first];
    char node[32], text[LP_SHOW_TEXT];
    if (b->schedule->entries == 1) {
        print_node(b, c->out, node, sizeof node);
        lp_area_fit(area, x, y, NODE, LP_ROLE_MUTED, node);
        draw_state(b, area, x + NODE, y, c);
        return;
    }
    for (uint32_t i = first; i < b->count && b->circuit[i].in == c->in; i++) {
        snprintf(node, sizeof node, lp_port_is_server(b, b->circuit[i].out) ? "%s%u" : "%sa%u",
                 i > first ? ", " : "", (unsigned)node_number(b, b->circuit[i].out));
        x = lp_area_text(area, x, y, LP_ROLE_MUTED, node) + 1;
        x = lp_area_text(area, x, y, LP_ROLE_TEXT, lp_show_percent(b->circuit[i].share, text));
    }
}

static int draw_matrix(const Board *b, const LpArea *area) {
    int pitch = pitch_of(b, area), ports = (int)b->schedule->ports;
    uint32_t at = 0;
    draw_heads(b, area, pitch);
    for (int p = 0; p < ports; p++) {
        draw_label(b, area, p + 1, (uint32_t)p);
        for (int q = 0; q < ports; q++)
            lp_area_glyph(area, LABEL + q * pitch, p + 1, LP_ROLE_FREE,
                          p == q ? LP_GLYPH_SPACE : LP_GLYPH_FREE);
        uint32_t first = at;
        for (; at < b->count && b->circuit[at].in == (uint32_t)p; at++)
            draw_cell(b, area, LABEL + (int)b->circuit[at].out * pitch, p + 1, &b->circuit[at]);
        if (at > first)
            draw_words(b, area, LABEL + ports * pitch + 1, p + 1, first);
    }
    return ports + 1;
}

/* ---- the rows of it that are held, where all have no room ---- */

enum { SHORT = 7 /* columns of such a row's label: "k s12.2" */ };

static uint32_t held_rows(const Board *b) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < b->count; i++)
        rows += i == 0 || b->circuit[i].in != b->circuit[i - 1].in;
    return rows;
}

static bool held_fits(const Board *b, const LpArea *area) {
    return held_rows(b) > 0 && area->rect.h >= 2 && SHORT + (int)b->schedule->ports <= area->rect.w;
}

/* Columns of all outputs, rows of the inputs that are joined to any: a letter, and with room its
 * share of a cycle as a bar behind it. */
static int draw_held(const Board *b, const LpArea *area) {
    int ports = (int)b->schedule->ports, pitch = SHORT + 2 * ports <= area->rect.w ? 2 : 1;
    int rows = (int)held_rows(b), most = area->rect.h - 1, y = 0;
    most = rows > most ? most - 1 : rows;
    lp_area_fit(area, 0, 0, SHORT - 1, LP_ROLE_MUTED, "to");
    for (int p = 0; p < ports; p++)
        if (p * pitch % 4 == 0)
            lp_area_textf(area, SHORT + p * pitch, 0, LP_ROLE_MUTED,
                          lp_port_is_server(b, (uint32_t)p) ? "%u" : "a%u",
                          (unsigned)node_number(b, (uint32_t)p));
    for (uint32_t i = 0; i < b->count; i++) {
        const LpLit *c = &b->circuit[i];
        char text[24];
        y += i == 0 || c->in != b->circuit[i - 1].in;
        if (y > most)
            continue;
        int x = SHORT + (int)c->out * pitch;
        if (i == 0 || c->in != b->circuit[i - 1].in) {
            snprintf(text, sizeof text, lp_port_is_server(b, c->in) ? "s%u" : "a%u",
                     (unsigned)node_number(b, c->in));
            put_letter(area, 0, y, job_of(b, c->in));
            lp_area_fit(area, 2, y, SHORT - 3, hue(job_of(b, c->in), LP_ROLE_MUTED), text);
            for (int q = 0; q < ports; q++)
                lp_area_glyph(area, SHORT + q * pitch, y, LP_ROLE_FREE, LP_GLYPH_FREE);
        }
        const LpRunning *job = circuit_job(b, c);
        if (pitch < 2 || c->share >= 1 || waits(b, c) > 0 || job == NULL) {
            draw_cell(b, area, x, y, c);
            continue;
        }
        put_letter(area, x, y, job);
        lp_area_put(area, x + 1, y, hue(job, LP_ROLE_TEXT), lp_glyph_height(c->share, b->ascii));
    }
    if (rows > most)
        lp_area_textf(area, 0, area->rect.h - 1, LP_ROLE_MUTED, "%d more of %d rows", rows - most,
                      rows);
    return most + 1 + (rows > most);
}

/* ---- the pane ---- */

/* What a reconfiguration is made of, and who says so, below the circuits. */
static void draw_source(const Board *b, const LpArea *area, int y) {
    const LpReconfiguration *d = &b->ocs->delay;
    const LpPreset *preset = b->ocs->preset != NULL ? lp_preset_find(b->ocs->preset) : NULL;
    char program[LP_SHOW_TEXT], turn[LP_SHOW_TEXT], lock[LP_SHOW_TEXT];
    lp_area_textf(area, 0, y, LP_ROLE_MUTED, "dark for %s programming + %s switching + %s locking",
                  lp_show_seconds(d->program, program), lp_show_seconds(d->turn, turn),
                  lp_show_seconds(d->lock, lock));
    if (preset == NULL)
        return;
    char text[512];
    snprintf(text, sizeof text, "%s (%s): %s", preset->title, lp_evidence_name(preset->evidence),
             preset->source);
    lp_area_fit(area, 0, y + 1, area->rect.w, LP_ROLE_MUTED, text);
}

/* axes: say what rows and columns of a matrix are; brief: only that and what is lit. */
static void print_title(const Board *b, bool axes, bool brief, LpBuf *out) {
    const LpWorld *w = b->model->world;
    double left = lp_world_lit_at(w) - lp_world_now(w);
    char text[LP_SHOW_TEXT];
    if (brief) {
        lp_buf_addf(out, "CIRCUITS row to column, %u of %u lit",
                    (unsigned)lp_world_lit_at_once(w, b->model->context),
                    (unsigned)b->schedule->ports);
        return;
    }
    lp_buf_addf(out, "CIRCUITS %u of %u ports lit",
                (unsigned)lp_world_lit_at_once(w, b->model->context), (unsigned)b->schedule->ports);
    if (b->schedule->entries > 1)
        lp_buf_addf(out, ", share of a cycle of %u", (unsigned)b->schedule->entries);
    lp_buf_addf(out, ", set %ux in %s", (unsigned)lp_world_reconfigurations(w),
                lp_show_seconds(lp_world_reconfiguration_time(w, b->model->context), text));
    if (left > 0)
        lp_buf_addf(out, ", all lit in %s", lp_show_seconds(left, text));
    if (axes)
        lp_buf_addf(out, ", row to column");
}

static void draw_line(const LpModel *model, const LpArea *area) {
    int x = lp_area_text(area, 1, 0, LP_ROLE_LABEL, "circuits");
    lp_area_textf(area, x + 1, 0, LP_ROLE_TEXT, "%u lit",
                  (unsigned)lp_world_lit_at_once(model->world, model->context));
}

static void draw_board(const Board *b, const LpArea *area) {
    LpArea inside = lp_area_part(
        area, (LpRect){1, 1, area->rect.w > 2 ? area->rect.w - 2 : 0, area->rect.h - 1});
    LpBuf title = {0};
    bool alone = b->model->ui->only == LP_PANE_CIRCUITS, matrix = matrix_fits(b, &inside);
    enum { PICTURE = 11 }; /* lines of a rack, and a blank one */
    if (alone && lp_circuits_state(b->model)->look != LP_LOOK_PATHS)
        matrix &= (int)b->schedule->ports + 1 + PICTURE <= inside.rect.h ||
                  !lp_view_rack_fits(b, inside.rect.w, inside.rect.h);
    bool held = !matrix && !alone && held_fits(b, &inside);
    int lines = matrix ? (int)b->schedule->ports + 1 : list_lines(b, &inside);
    LpArea above = inside;
    if (alone)
        above = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, inside.rect.h - lines - 1});
    bool rack = lp_view_rack_fits(b, above.rect.w, above.rect.h) && (!alone || above.rect.h >= 6);
    if (rack && !alone)
        lp_buf_add(&title, "CIRCUITS a digit: the aggregator of a port");
    else
        print_title(b, held || (matrix && inside.rect.w >= 84), held, &title);
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    lp_area_done(area, &title);
    inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    if (rack) {
        LpArea picture = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, above.rect.h});
        int end = lp_view_rack(b, &picture) + 1;
        inside = lp_area_part(&inside, (LpRect){0, end, inside.rect.w, inside.rect.h - end});
    }
    if (!rack || alone)
        lines = (matrix ? draw_matrix : held ? draw_held : draw_list)(b, &inside);
    else
        lines = 0;
    if (inside.rect.h > lines + 2)
        draw_source(b, &inside, lines + 1);
}

void lp_view_ports(const LpModel *model, const LpArea *area) {
    Board b = {.model = model,
               .ocs = &model->scenario->cluster.ocs,
               .schedule = lp_world_schedule(model->world, model->context),
               .ascii = area->canvas->ascii};
    if (area->rect.h < 3) {
        draw_line(model, area);
        return;
    }
    if (lp_board_ports_draft(model, area))
        return;
    b.circuit = lp_alloc((size_t)b.schedule->entries * b.schedule->ports, sizeof *b.circuit);
    if (b.circuit == NULL) {
        area->canvas->incomplete = true;
        return;
    }
    b.count = lp_schedule_lit(
        b.schedule, lp_world_reconfiguration_time(model->world, model->context), b.circuit);
    draw_board(&b, area);
    lp_free(b.circuit);
}
