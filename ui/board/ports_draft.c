/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix of circuits by hand: a row for each input, a column for each output; one matching of
 * the draft at a time, the other ones dim, and how long it is held. Where ports have no room the
 * part around the cursor is shown. */
#include <stdio.h>

#include "board/ports_draft.h"
#include "moment/picture/picture_draw.h"
#include "moment/picture/words.h"
#include "widgets/widgets_list.h"

enum { LABEL = 17, SHORT = 7 /* columns of a row's label: "server 3.2", "s3.2" */ };

typedef struct Matrix {
    const LpModel *model;
    const LpOcsParams *ocs;
    const LpSchedule *set;
    const LpArea *area;
    uint32_t at; /* the matching that is changed */
    int label, pitch;
    int first_row, rows, first_column, columns;
} Matrix;

static bool is_open(const LpModel *model) {
    const LpUiState *ui = model->ui;
    bool chosen = ui->hand.draft.word[LP_STAGE_CIRCUITS][0] != '\0';
    return lp_model_has_board(model) && lp_model_board_hit(model) == LP_HIT_CROSS &&
           (chosen || ui->hand.board) && model->drafted.priced;
}

static void measure(Matrix *m) {
    int ports = (int)m->ocs->ports, width = m->area->rect.w, height = m->area->rect.h - 1;
    uint32_t cursor = m->model->ui->hand.cursor;
    bool here = m->model->ui->hand.board && cursor != LP_HIT_HOLD;
    int row = here ? (int)(cursor / LP_HIT_PATHS) : 0,
        column = here ? (int)(cursor % LP_HIT_PATHS) : 0;
    m->label = LABEL + 3 * ports <= width ? LABEL : SHORT;
    m->pitch = 3;
    while (m->pitch > 1 && m->label + m->pitch * ports > width)
        m->pitch--;
    m->columns = (width - m->label) / m->pitch;
    m->columns = m->columns < ports ? m->columns : ports;
    m->rows = height < ports ? height : ports;
    m->first_row = lp_list_around(row, ports, m->rows);
    m->first_column = lp_list_around(column, ports, m->columns);
}

/* "server 3", "s3"; behind a point the port, where a server has several. */
static void print_port(const Matrix *m, uint32_t port, char *out, size_t size) {
    uint32_t node = m->ocs->plug[port].node;
    unsigned number = 1, all = 0;
    for (uint32_t p = 0; p < m->ocs->ports; p++) {
        number += p < port && m->ocs->plug[p].node == node;
        all += m->ocs->plug[p].node == node;
    }
    int used = snprintf(out, size, m->label == LABEL ? "server %u" : "s%u", (unsigned)node);
    if (all > 1 && used > 0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ".%u", number);
}

static uint32_t output_of(const Matrix *m, uint32_t matching, uint32_t port) {
    return matching < m->set->entries ? m->set->to[(size_t)matching * m->set->ports + port]
                                      : LP_DARK;
}

/* The job whose server the port is, LP_NO_INDEX: nobody's. */
static uint32_t job_at(const Matrix *m, uint32_t port) {
    const LpDraftModel *d = &m->model->drafted;
    uint32_t node = m->ocs->plug[port].node;
    for (uint32_t i = 0; i < d->servers; i++)
        if (d->server[i] == node)
            return m->model->decision.job;
    return lp_world_server(m->model->world, node)->job;
}

/* A circuit of the matching: the letter of whose server it begins at. */
static void draw_circuit(const Matrix *m, int x, int y, uint32_t in) {
    uint32_t job = job_at(m, in);
    int letter = job != LP_NO_INDEX ? lp_letters_of(&m->model->letters, job) : -1;
    if (letter >= 0)
        lp_letter_put(m->area, x, y, lp_letter_hue(job), job, letter);
    else
        lp_area_glyph(m->area, x, y, LP_ROLE_TEXT, LP_GLYPH_FULL);
    if (m->pitch < 3) {
        lp_area_mark(m->area, x, y, 1, LP_REVERSE);
        return;
    }
    lp_area_put(m->area, x - 1, y, LP_ROLE_PENDING, '[');
    lp_area_put(m->area, x + 1, y, LP_ROLE_PENDING, ']');
}

/* The number of another matching that has the circuit, 0: none. */
static unsigned other_with(const Matrix *m, uint32_t in, uint32_t out) {
    for (uint32_t e = 0; e < m->set->entries; e++)
        if (e != m->at && output_of(m, e, in) == out)
            return e + 1;
    return 0;
}

static void draw_row(const Matrix *m, int y, uint32_t in) {
    char text[48];
    uint32_t out = output_of(m, m->at, in);
    print_port(m, in, text, sizeof text);
    lp_area_fit(m->area, m->label == LABEL ? 2 : 0, y, m->label - 2, LP_ROLE_MUTED, text);
    for (int i = 0; i < m->columns; i++) {
        uint32_t to = (uint32_t)(m->first_column + i);
        int x = m->label + i * m->pitch;
        unsigned other = other_with(m, in, to);
        if (to == in)
            continue;
        if (to == out)
            draw_circuit(m, x, y, in);
        else if (other > 0)
            lp_area_put(m->area, x, y, LP_ROLE_MUTED, other < 10 ? '0' + other : '+');
        else
            lp_area_glyph(m->area, x, y, LP_ROLE_FREE, LP_GLYPH_FREE);
        lp_area_hit(m->area, (LpRect){m->pitch == 3 ? x - 1 : x, y, m->pitch, 1}, LP_HIT_CROSS,
                    in * LP_HIT_PATHS + to);
    }
}

/* In the corner: how long the matching is held; then the outputs. */
static void draw_heads(const Matrix *m) {
    char text[LP_SHOW_TEXT], hold[LP_SHOW_TEXT];
    int end;
    bool turns = m->set->entries > 1 && m->at < m->set->entries;
    if (turns)
        lp_show_seconds(m->set->hold[m->at], hold);
    if (m->label == LABEL)
        end = lp_area_textf(m->area, 0, 0, LP_ROLE_TEXT, " hold %s ", turns ? hold : "for good");
    else
        end = lp_area_fit(m->area, 0, 0, m->label - 1, LP_ROLE_TEXT, turns ? hold : "stays");
    lp_area_hit(m->area, (LpRect){0, 0, end, 1}, LP_HIT_CROSS, LP_HIT_HOLD);
    for (int i = 0, free = 0; i < m->columns; i++) {
        int x = m->label + i * m->pitch;
        if (x < free)
            continue;
        snprintf(text, sizeof text, "%u", (unsigned)m->ocs->plug[m->first_column + i].node);
        free = lp_area_text(m->area, x, 0, LP_ROLE_MUTED, text) + 1;
    }
}

bool lp_board_ports_draft(const LpModel *model, const LpArea *area) {
    enum { LEAST_ROWS = 3, LEAST_COLUMNS = 3 };
    Matrix m = {.model = model,
                .ocs = &model->scenario->cluster.ocs,
                .set = &model->drafted.circuits,
                .at = model->ui->hand.matching};
    if (!is_open(model))
        return false;
    uint32_t all = m.set->entries > m.at ? m.set->entries : m.at + 1;
    LpBuf title = {0};
    lp_buf_addf(&title, "CIRCUITS by hand, matching %u of %u", (unsigned)m.at + 1, (unsigned)all);
    if (area->rect.w >= 52)
        lp_buf_add(&title, ", row to column");
    LpArea box = lp_area_heading(area, lp_buf_text(&title));
    lp_area_done(area, &title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 1, box.rect.h});
    m.area = &inside;
    measure(&m);
    if (m.rows < LEAST_ROWS || m.columns < LEAST_COLUMNS) {
        lp_area_text(&inside, 0, 0, LP_ROLE_MUTED, "no room");
        return true;
    }
    draw_heads(&m);
    for (int i = 0; i < m.rows; i++)
        draw_row(&m, 1 + i, (uint32_t)(m.first_row + i));
    return true;
}
