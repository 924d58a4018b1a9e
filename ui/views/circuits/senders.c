/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transmitters of a group as a list in words: whose server holds them, how many are lit, and
 * towards whom. */
#include <stdio.h>

#include "views/circuits/spread.h"
#include "widgets/widgets_list.h"

enum { SERVER = 0, JOB = 11, HELD = 16, LIT = 21, SENDS = 26, NOTE = 28 };

/* "s24 g3r0 w0 1.2 %" */
static void print_path(const LpModel *model, const LpPath *path, bool share, LpBuf *out) {
    const LpBoardPlan *plan = &model->board;
    char text[LP_SHOW_TEXT];
    lp_buf_addf(out, "s%u", (unsigned)path->dst);
    if (plan->wavelengths)
        lp_buf_addf(out, " g%ur%u w%u", (unsigned)lp_board_group(plan, path->dst),
                    (unsigned)lp_board_rack(plan, path->dst),
                    (unsigned)(path->dst % plan->per_rack));
    if (share)
        lp_buf_addf(out, " %s", lp_show_percent(path->share, text));
}

/* Columns of one receiver: those of the widest, and two blanks. */
static int width_of(const LpModel *model, bool share) {
    const LpBoardPlan *plan = &model->board;
    LpPath last = {0, plan->servers - 1, 1e-9}; /* "<0.01 %" */
    LpBuf text = {0};
    print_path(model, &last, share, &text);
    int width = lp_text_width(lp_buf_text(&text)) + 3;
    lp_buf_fini(&text);
    return width;
}

/* To whom a server sends; what has no room is counted. */
static void draw_paths(const LpModel *model, const LpArea *area, int y, const LpRunning *job,
                       uint32_t server) {
    int room = area->rect.w - SENDS;
    bool share = room >= width_of(model, true);
    int width = width_of(model, share), most = width > 0 ? room / width : 0;
    uint32_t first = lp_spread_first(job, server), end = first, shown = 0, count = 0;
    while (end < job->paths && job->path[end].src == server)
        count += lp_model_path_shines(model, job, &job->path[end++]);
    most -= (int)count > most && room - most * width < 6;
    for (uint32_t i = first; i < end && (int)shown < most; i++) {
        LpBuf text = {0};
        if (!lp_model_path_shines(model, job, &job->path[i]))
            continue;
        print_path(model, &job->path[i], share, &text);
        int x = SENDS + (int)shown++ * width;
        int after = lp_area_text(area, x, y, lp_model_ink(model, job->job->id), lp_buf_text(&text));
        lp_area_hit(area, (LpRect){x, y, after - x, 1}, LP_HIT_PATH,
                    LP_HIT_PATHS * server + job->path[i].dst);
        lp_area_done(area, &text);
    }
    if (count > shown)
        lp_area_textf(area, SENDS + (int)shown * width, y, LP_ROLE_MUTED, "+ %u",
                      (unsigned)(count - shown));
}

static uint32_t lit_of(const LpModel *model, const LpRunning *job, uint32_t server) {
    uint32_t lit = 0;
    for (uint32_t i = 0; i < job->txs; i++)
        lit += job->tx[i].server == server && lp_model_shines(model, job, &job->tx[i]);
    return lit;
}

static bool sends(const LpRunning *job, uint32_t server) {
    uint32_t first = lp_spread_first(job, server);
    return first < job->paths && job->path[first].src == server;
}

/* Whose server it is, or by what is planned will be; NULL: nobody's. */
static const LpRunning *owner(const LpModel *model, uint32_t server) {
    uint32_t id = lp_world_server(model->world, server)->job;
    const LpRunning *moving = &model->moving;
    if (moving->job != NULL && (moving->job->id == id || sends(moving, server)))
        return moving;
    return lp_model_running(model, id);
}

static void draw_line(const LpModel *model, const LpArea *area, int y, uint32_t server) {
    const LpBoardPlan *plan = &model->board;
    const LpRunning *job = owner(model, server);
    char place[32];
    snprintf(place, sizeof place, plan->groups > 1 ? "s%u g%ur%u" : "s%u", (unsigned)server,
             (unsigned)lp_board_group(plan, server), (unsigned)lp_board_rack(plan, server));
    lp_area_text(area, SERVER, y, LP_ROLE_MUTED, place);
    lp_area_hit(area, (LpRect){SERVER, y, JOB - 1, 1}, LP_HIT_SERVER, server);
    if (job == NULL) {
        lp_area_glyph(area, JOB, y, LP_ROLE_FREE, LP_GLYPH_FREE);
        lp_area_right(area, HELD + 3, y, LP_ROLE_FREE, "0");
        lp_area_right(area, LIT + 3, y, LP_ROLE_FREE, "0");
        lp_area_fit(area, SENDS, y, area->rect.w - SENDS, LP_ROLE_MUTED, "free: nobody holds it");
        return;
    }
    char held[16], lit[16];
    uint32_t shining = lit_of(model, job, server);
    snprintf(held, sizeof held, "%u", (unsigned)plan->groups);
    snprintf(lit, sizeof lit, "%u", (unsigned)shining);
    lp_letter_put(area, JOB, y, lp_model_fill(model, job->job->id), job->job->id, job->letter);
    lp_area_right(area, HELD + 3, y, LP_ROLE_TEXT, held);
    lp_area_right(area, LIT + 3, y, LP_ROLE_TEXT, lit);
    if (shining == 0)
        lp_area_fit(area, SENDS, y, area->rect.w - SENDS, LP_ROLE_MUTED,
                    "held, dark: sends nothing");
    else
        draw_paths(model, area, y, job, server);
}

static void print_title(const LpModel *model, int group, int width, char *out, size_t size) {
    const LpBoardPlan *plan = &model->board;
    if (plan->groups == 1)
        snprintf(out, size, "TRANSMITTERS one a server");
    else if (group == LP_SPREAD_ALL)
        snprintf(out, size, "TRANSMITTERS one to each group in every server");
    else
        snprintf(out, size, "TRANSMITTERS of group %d%s", group,
                 width >= 66 ? ", one to each group in every server" : "");
}

/* The title that fits into `width` columns. */
static const char *sends_title(const LpBoardPlan *plan, int width) {
    static const char *const titles[][3] = {
        {"sends to: server, lit share of a step", "sends to: server, share", "to"},
        {"sends to: server, wavelength w, lit share of a step", "sends to, wavelength w", "to"}};
    for (int i = 0; i < 3; i++)
        if (lp_text_width(titles[plan->wavelengths][i]) <= width)
            return titles[plan->wavelengths][i];
    return "";
}

void lp_view_senders(const LpModel *model, const LpArea *area, int group) {
    const LpBoardPlan *plan = &model->board;
    bool all = group == LP_SPREAD_ALL;
    uint32_t per = all ? plan->servers : plan->servers / plan->groups;
    uint32_t begin = all ? 0 : (uint32_t)group * per;
    int rows = area->rect.h - 2, first = lp_list_from(model->ui->scroll, (int)per, rows);
    char title[96], note[48];
    print_title(model, group, area->rect.w - (rows < (int)per ? NOTE : 0), title, sizeof title);
    LpArea box = lp_area_heading(area, title);
    LpArea inside = lp_area_part(&box, (LpRect){1, 0, box.rect.w - 2, box.rect.h});
    if (rows <= 0)
        return;
    if (rows < (int)per) {
        char key[16];
        snprintf(note, sizeof note, "%d-%d of %u, %s: more", first + 1,
                 first + rows < (int)per ? first + rows : (int)per, (unsigned)per,
                 lp_keymap_key(model->ui->keymap, LP_UI_ACTION_PAGE_DOWN, key));
        lp_area_heading_note(area, title, 1, LP_ROLE_WAIT, note);
    }
    lp_area_text(&inside, SERVER, 0, LP_ROLE_LABEL, "server");
    lp_area_text(&inside, JOB, 0, LP_ROLE_LABEL, "job");
    lp_area_right(&inside, HELD + 3, 0, LP_ROLE_LABEL, "held");
    lp_area_right(&inside, LIT + 3, 0, LP_ROLE_LABEL, "lit");
    lp_area_text(&inside, SENDS, 0, LP_ROLE_LABEL, sends_title(plan, inside.rect.w - SENDS));
    for (int i = 0; i < rows && first + i < (int)per; i++)
        draw_line(model, &inside, 1 + i, begin + (uint32_t)(first + i));
}
