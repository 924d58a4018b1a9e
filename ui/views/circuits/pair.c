/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The circuits from one group to another: transmitters by receivers' wavelengths, and the marked
 * circuit over a training step, slot by slot. */
#include "views/circuits/circuits_view_impl.h"

#include <stdio.h>

enum { LABEL = 10, CELL = 4, STRIPS = 3, STRIP_LABEL = 13, SAYS = STRIPS + 3 };

typedef struct Board {
    const LpModel *model;
    const LpBoardPlan *plan;
    const LpCircuitsModel *pair;
    uint32_t servers; /* of a group */
    uint32_t row, column, rows, columns;
} Board;

static uint32_t server_at(const Board *b, uint32_t group, uint32_t index) {
    return group * b->servers + index;
}

static LpStyle job_style(const LpPairJob *job) {
    return lp_letter_hue(job->job);
}

static char job_letter(const Board *b, const LpPairJob *job) {
    return lp_letter(lp_letters_of(&b->model->letters, job->job));
}

/* ---- the board ---- */

/* "A▅", and "!" where data waits for the path. */
static void draw_cell(const Board *b, const LpArea *area, int x, int y, uint32_t tx, uint32_t rx) {
    uint32_t src = server_at(b, b->pair->from, tx), dst = server_at(b, b->pair->to, rx);
    const LpPairJob *job;
    const LpCircuit *circuit = lp_circuits_model_find(b->pair, src, dst, &job);
    if (src == dst)
        lp_area_repeat(area, x, y, 2, LP_ROLE_MUTED, LP_GLYPH_HORIZONTAL);
    else if (!circuit)
        lp_area_glyph(area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    if (!circuit)
        return;
    lp_area_hit(area, (LpRect){x, y, 2, 1}, LP_HIT_PATH, LP_HIT_PATHS * src + dst);
    lp_letter_put(area, x, y, job_style(job), job->job,
                  lp_letters_of(&b->model->letters, job->job));
    lp_area_put(area, x + 1, y, job_style(job), lp_glyph_height(circuit->lit, area->canvas->ascii));
    if (circuit->waited > 0.0)
        lp_area_put(area, x + 2, y, LP_ROLE_BAD, '!');
}

/* Racks in the first line, wavelengths in the second. */
static void draw_headings(const Board *b, const LpArea *area) {
    const LpBoardPlan *plan = b->plan;
    for (uint32_t k = 0; k < b->columns; k++) {
        uint32_t rx = b->column + k;
        int x = LABEL + (int)k * CELL;
        if (plan->wavelengths && (k == 0 || rx % plan->per_rack == 0))
            lp_area_textf(area, x, 0, LP_ROLE_MUTED, "r%u", (unsigned)(rx / plan->per_rack));
        lp_area_textf(area, x, 1, LP_ROLE_MUTED, plan->wavelengths ? "w%u" : "s%u",
                      (unsigned)(rx % plan->per_rack));
    }
}

static void print_sender(const Board *b, const LpArea *area, int y, uint32_t tx) {
    unsigned server = (unsigned)server_at(b, b->pair->from, tx);
    if (b->plan->wavelengths)
        lp_area_textf(area, 0, y, LP_ROLE_MUTED, "r%u s%u", (unsigned)(tx / b->plan->per_rack),
                      server);
    else
        lp_area_textf(area, 0, y, LP_ROLE_MUTED, "s%u", server);
}

static void draw_board(const Board *b, const LpArea *area) {
    const LpCircuitsState *state = lp_circuits_state(b->model);
    draw_headings(b, area);
    for (uint32_t i = 0; i < b->rows; i++) {
        uint32_t tx = b->row + i;
        int y = 2 + (int)i;
        print_sender(b, area, y, tx);
        for (uint32_t k = 0; k < b->columns; k++) {
            int x = LABEL + (int)k * CELL;
            draw_cell(b, area, x, y, tx, b->column + k);
            if (tx != state->tx || b->column + k != state->rx)
                continue;
            lp_area_choose(area, x, y, CELL - 1);
        }
    }
}

/* ---- over the step ---- */

/* Which circuits a strip tells of: the marked one, or all others of its transmitter, or receiver.
 */
typedef enum Strip { THIS, TRANSMITTER, RECEIVER } Strip;

static bool belongs(Strip strip, const LpCircuit *c, uint32_t src, uint32_t dst) {
    bool same_src = c->src == src, same_dst = c->dst == dst;
    return strip == THIS          ? same_src && same_dst
           : strip == TRANSMITTER ? same_src && !same_dst
                                  : !same_src && same_dst;
}

static LpCircuitState state_at(const LpPairJob *job, Strip strip, uint32_t src, uint32_t dst,
                               double from, double to) {
    LpCircuitState sum = {0};
    for (uint32_t i = 0; i < job->seen.circuits; i++) {
        const LpCircuit *c = &job->seen.circuit[i];
        if (!belongs(strip, c, src, dst))
            continue;
        LpCircuitState state = lp_circuit_inspection_state(&job->seen, c, from, to);
        sum.lit = state.lit > sum.lit ? state.lit : sum.lit;
        sum.turning = state.turning > sum.turning ? state.turning : sum.turning;
        sum.waiting = state.waiting > sum.waiting ? state.waiting : sum.waiting;
    }
    return sum;
}

static void draw_strip(const LpArea *area, int y, const LpPairJob *job, Strip strip, uint32_t src,
                       uint32_t dst) {
    static const char *const names[STRIPS] = {"this path", "its sender", "its receiver"};
    int columns = area->rect.w - STRIP_LABEL;
    bool ascii = area->canvas->ascii;
    lp_area_text(area, 0, y, LP_ROLE_MUTED, names[strip]);
    for (int c = 0; c < columns; c++) {
        double from = job->seen.step_time * c / columns,
               to = job->seen.step_time * (c + 1) / columns;
        LpCircuitState state = state_at(job, strip, src, dst, from, to);
        LpStyle style = strip == THIS ? job_style(job) : LP_ROLE_TEXT;
        if (state.turning > state.lit)
            lp_area_glyph(area, STRIP_LABEL + c, y, LP_ROLE_WAIT, LP_GLYPH_EMPTY);
        else if (state.lit > 0.0)
            lp_area_put(area, STRIP_LABEL + c, y, style,
                        lp_glyph_height(state.lit + state.turning, ascii));
        else if (state.waiting > 0.0)
            lp_area_put(area, STRIP_LABEL + c, y, LP_ROLE_BAD, '!');
        else
            lp_area_glyph(area, STRIP_LABEL + c, y, LP_ROLE_FREE, LP_GLYPH_FREE);
    }
}

/* "at 1.2 ms for 34 us: 4.1 MB of op 12, after 20 ns to turn; waited 3 us" */
static void print_span(const LpCircuitSpan *s, LpBuf *out) {
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT], c[LP_SHOW_TEXT];
    lp_buf_addf(out, "at %s for %s: %s of op %u%s", lp_show_seconds(s->start, a),
                lp_show_seconds(s->end - s->start, b), lp_show_bytes(s->bytes, c), (unsigned)s->op,
                s->collective ? ", a collective" : "");
    if (s->turn > 0.0)
        lp_buf_addf(out, ", %s of it to set the transmitter", lp_show_seconds(s->turn, a));
    if (s->start > s->ready)
        lp_buf_addf(out, "; waited %s", lp_show_seconds(s->start - s->ready, a));
}

static void draw_spans(const LpArea *area, int y, const LpCircuitInspection *seen,
                       const LpCircuit *circuit, int skip) {
    LpBuf text = {0};
    uint32_t i = circuit->first + (uint32_t)skip;
    for (i = i < circuit->end ? i : circuit->end - 1; i < circuit->end && y < area->rect.h;
         i++, y++) {
        lp_area_done(area, &text);
        print_span(&seen->span[i], &text);
        lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_TEXT, lp_buf_text(&text));
    }
    lp_area_done(area, &text);
}

static void draw_circuit(const Board *b, const LpArea *area, const LpPairJob *job,
                         const LpCircuit *circuit) {
    char lit[LP_SHOW_TEXT], step[LP_SHOW_TEXT], waited[LP_SHOW_TEXT];
    int y = 1;
    int x = lp_area_textf(
        area, 0, y, job_style(job), "%c %s: lit %s of a step of %s, %u time%s", job_letter(b, job),
        lp_world_label(b->model->world, b->model->scenario, job->job).text,
        lp_show_percent(circuit->lit, lit), lp_show_seconds(job->seen.step_time, step),
        (unsigned)(circuit->end - circuit->first), lp_str_s(circuit->end - circuit->first));
    if (circuit->waited > 0.0)
        lp_area_textf(area, x, y, LP_ROLE_BAD, "; ! its data waited %s in all",
                      lp_show_seconds(circuit->waited, waited));
    y++;
    for (int strip = 0; strip < STRIPS; strip++)
        draw_strip(area, y++, job, (Strip)strip, circuit->src, circuit->dst);
    draw_spans(area, y, &job->seen, circuit, b->model->ui->scroll);
}

static void draw_says(const Board *b, const LpArea *area) {
    const LpCircuitsState *state = lp_circuits_state(b->model);
    uint32_t src = server_at(b, b->pair->from, state->tx);
    uint32_t dst = server_at(b, b->pair->to, state->rx), per = b->plan->per_rack;
    const LpPairJob *job;
    const LpCircuit *circuit = lp_circuits_model_find(b->pair, src, dst, &job);
    const char *arrow = lp_sign(LP_SIGN_ARROW, area->canvas->ascii);
    if (b->plan->wavelengths)
        lp_area_textf(area, 0, 0, LP_ROLE_LABEL,
                      "server %u, transceiver group %u %s wavelength %u, rack %u: server %u, "
                      "receiver group %u",
                      (unsigned)src, (unsigned)b->pair->to, arrow, (unsigned)(state->rx % per),
                      (unsigned)(state->rx / per), (unsigned)dst, (unsigned)b->pair->from);
    else
        lp_area_textf(area, 0, 0, LP_ROLE_LABEL, "server %u %s server %u", (unsigned)src, arrow,
                      (unsigned)dst);
    if (circuit)
        draw_circuit(b, area, job, circuit);
    else
        lp_area_text(area, 0, 1, LP_ROLE_MUTED,
                     src == dst ? "a server sends nothing to itself" : "dark in every job's step");
}

/* ---- the pane ---- */

static Board board_of(const LpModel *model, int w, int h) {
    const LpCircuitsState *state = lp_circuits_state(model);
    const LpBoardPlan *plan = &model->board;
    Board b = {.model = model, .plan = plan, .pair = lp_circuits_facts(model)};
    b.servers = plan->racks * plan->per_rack;
    b.rows = (uint32_t)(h > 3 ? h - 2 : 1);
    b.columns = (uint32_t)(w > LABEL + CELL ? (w - LABEL) / CELL : 1);
    b.rows = b.rows < b.servers ? b.rows : b.servers;
    b.columns = b.columns < b.servers ? b.columns : b.servers;
    b.row = lp_view_board_first(b.servers, b.rows, state->tx);
    b.column = lp_view_board_first(b.servers, b.columns, state->rx);
    return b;
}

/* The board takes what it can use, down to half of the lines. */
static int board_lines(const LpModel *model, int h) {
    const LpBoardPlan *plan = &model->board;
    int want = (int)(plan->racks * plan->per_rack) + 2;
    if (h < SAYS + 4)
        return h;
    return want <= h - SAYS - 1 ? want + 1 : h / 2 > h - SAYS - 4 ? h - SAYS : h / 2;
}

void lp_view_pair(const LpModel *model, const LpArea *area) {
    const LpCircuitsModel *pair = lp_circuits_facts(model);
    char title[160];
    const char *arrow = lp_sign(LP_SIGN_ARROW, area->canvas->ascii);
    if (model->board.groups > 1)
        snprintf(title, sizeof title,
                 "CIRCUITS group %u %s group %u: height is the share of a step lit, ! data waits",
                 (unsigned)pair->from, arrow, (unsigned)pair->to);
    else
        snprintf(title, sizeof title,
                 "CIRCUITS server %s server: height is the share of a step lit, ! data waits",
                 arrow);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (inside.rect.w <= LABEL || inside.rect.h < 1)
        return;
    int lines = board_lines(model, inside.rect.h);
    LpArea above = lp_area_part(&inside, (LpRect){0, 0, inside.rect.w, lines});
    LpArea below = lp_area_part(&inside, (LpRect){0, lines, inside.rect.w, inside.rect.h - lines});
    Board b = board_of(model, above.rect.w, above.rect.h);
    draw_board(&b, &above);
    if (below.rect.h > 0)
        draw_says(&b, &below);
}
