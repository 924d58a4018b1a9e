/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moving over the board of circuits, and into two groups. */
#include "board/instead.h"
#include "views/circuits/circuits_view_impl.h"
#include "views/circuits/full.h"

/* Is it the board of groups, rather than one of links or ports? */
static bool has_groups(const LpHost *host) {
    return !lp_board_shares(&host->model->board);
}

static uint32_t moved(uint32_t at, int by, uint32_t count) {
    int64_t to = (int64_t)at + by;
    return (uint32_t)(to < 0 ? 0 : to >= (int64_t)count ? (int64_t)count - 1 : to);
}

static uint32_t servers_of_group(const LpHost *host) {
    return host->model->board.racks * host->model->board.per_rack;
}

/* One circuit after the other? */
static bool is_inside(const LpHost *host) {
    return lp_circuits_state(host->model)->inside;
}

static bool is_page(int lines) {
    return (lines > 1 || lines < -1) && lines > -LP_UI_FAR && lines < LP_UI_FAR;
}

static void move_inside(LpHost *host, int lines) {
    if (is_page(lines)) { /* through the slots of the marked circuit */
        host->ui->scroll = (int)moved((uint32_t)host->ui->scroll, lines / 2, LP_UI_FAR);
        return;
    }
    lp_circuits_state(host->model)->tx =
        moved(lp_circuits_state(host->model)->tx, lines, servers_of_group(host));
    host->ui->scroll = 0;
}

static void key_move(LpHost *host, int lines) {
    LpCircuitsState *state = lp_circuits_state(host->model);
    if (!has_groups(host))
        return;
    if (is_inside(host))
        move_inside(host, lines);
    else if (is_page(lines) || host->model->board.groups == 1)
        host->ui->scroll = (int)moved((uint32_t)host->ui->scroll,
                                      is_page(lines) ? lines / 2 : lines, servers_of_group(host));
    else
        state->from = moved(state->from, lines, host->model->board.groups);
}

static void key_along(LpHost *host, int columns) {
    LpCircuitsState *state = lp_circuits_state(host->model);
    if (!has_groups(host))
        return;
    if (is_inside(host))
        state->rx = moved(state->rx, columns, servers_of_group(host));
    else
        state->to = moved(state->to, columns, host->model->board.groups);
    host->ui->scroll = 0;
}

/* The step of the job that lights the marked circuit. */
static void step_here(LpHost *host) {
    const LpCircuitsModel *model = lp_circuits_facts(host->model);
    uint32_t servers = servers_of_group(host);
    const LpPairJob *whose;
    if (!model->known ||
        !lp_circuits_model_find(model, model->from * servers + lp_circuits_state(host->model)->tx,
                                model->to * servers + lp_circuits_state(host->model)->rx, &whose))
        lp_host_say(host, false, "no job lights this circuit");
    else
        lp_host_open(host, LP_PANE_STEP, whose->job);
}

static void key_take(LpHost *host) {
    if (host->model->board.joins == LP_BOARD_SLICES) {
        lp_host_open(host, LP_PANE_POD, host->model->focus);
    } else if (!has_groups(host)) {
        lp_host_say(host, false, "there is nothing inside a circuit of a switch, or a link");
    } else if (is_inside(host)) {
        step_here(host);
    } else {
        lp_circuits_state(host->model)->inside = true;
        host->ui->scroll = 0;
    }
}

static void key_zoom(LpHost *host, bool in) {
    if (has_groups(host))
        lp_circuits_state(host->model)->inside = in;
}

static void key_variant(LpHost *host) {
    LpCircuitsState *state = lp_circuits_state(host->model);
    if (is_inside(host))
        lp_host_tell(host, "one circuit has one look; {out} goes back to all groups");
    else
        state->look =
            (LpCircuitsLook)((state->look + 1) % (has_groups(host) ? LP_LOOKS : LP_LOOK_PICTURE));
}

static bool key_leave(LpHost *host) {
    LpCircuitsState *state = lp_circuits_state(host->model);
    bool inside = state->inside;
    state->inside = false;
    return inside;
}

/* The jobs between two groups, while it looks into them. */
static LpErr update(LpModel *model, LpSession *session, LpDiag *diag) {
    const LpCircuitsState *state = lp_circuits_state(model);
    LpCircuitsModel *facts = lp_circuits_facts(model);
    bool wanted = !lp_board_shares(&model->board) && state->inside;
    facts->known &= wanted;
    if (!wanted)
        return LP_OK;
    return lp_circuits_model_update(facts, session, state->from, state->to, diag);
}

static void drop(void *facts) {
    lp_circuits_model_fini(facts);
}

/* The path that was clicked is under the cursor; the second click goes into its two groups, and
 * there to the job's step. */
static void click(LpHost *host, uint32_t what, bool shown LP_UNUSED, bool again) {
    LpCircuitsState *state = lp_circuits_state(host->model);
    uint32_t per = servers_of_group(host), src = what / LP_HIT_PATHS, dst = what % LP_HIT_PATHS;
    if (!has_groups(host))
        return;
    state->from = src / per;
    state->tx = src % per;
    state->to = dst / per;
    state->rx = dst % per;
    if (again && state->inside)
        step_here(host);
    else if (again)
        key_take(host);
    else
        lp_host_say(host, false, "light path from server %u to server %u", (unsigned)src,
                    (unsigned)dst);
}

/* The circuits of a pair are not kept up to date while another view is shown. */
static void turn(LpHost *host) {
    lp_circuits_facts(host->model)->known = false;
}

/* Ports or links, and below them how full they are; sites have that beside their map. */
static void draw_shared(const LpModel *model, const LpArea *area) {
    enum { LEAST = 15 };
    int h = area->rect.h, full = h / 4;
    full = full < LP_FULL_LEAST ? LP_FULL_LEAST : full > LP_FULL_PAST ? LP_FULL_PAST : full;
    if (h < LEAST || model->board.sites || lp_circuits_state(model)->look == LP_LOOK_PATHS)
        full = 0;
    LpArea above = lp_area_part(area, (LpRect){0, 0, area->rect.w, h - full});
    LpArea below = lp_area_part(area, (LpRect){0, h - full, area->rect.w, full});
    lp_view_circuits(model, &above);
    if (full > 0)
        lp_view_full(model, &below);
}

static void draw_alone(const LpModel *model, const LpArea *area) {
    static void (*const boards[LP_BOARD_JOINS])(const LpModel *, const LpArea *) = {
        [LP_BOARD_LIGHT] = lp_view_lights,
        [LP_BOARD_SLICES] = lp_view_slices,
        [LP_BOARD_PORTS] = draw_shared,
        [LP_BOARD_LINKS] = draw_shared,
    };
    bool known = lp_circuits_facts(model)->known;
    if (area->rect.h < 3)
        lp_view_circuits(model, area);
    else if (known || model->board.joins != LP_BOARD_LIGHT || !lp_board_instead(model, area))
        (known ? lp_view_pair : boards[model->board.joins])(model, area);
}

static const LpViewKey keys[] = {
    {"arrows", "move the cursor over pairs of groups"},
    {"v",
     "below the board: a list, path by path by wavelength, the fabric as a picture; ports as a "
     "matrix, links as a list"},
    {"Enter z",
     "into two groups: transmitters by wavelengths; there the job's step; on a pod a slice"},
    {"PgUp PgDn", "through the list; inside: through the slots of the marked circuit"},
    {"Z Esc", "all groups again"},
    {NULL, NULL},
};

const LpView lp_circuits_view = {
    .state = sizeof(LpCircuitsState),
    .facts = sizeof(LpCircuitsModel),
    .drop = drop,
    .update = update,
    .draw = lp_view_circuits,
    .alone = draw_alone,
    .part = lp_view_circuits,
    .width = lp_view_circuits_width,
    .tall = lp_view_circuits_tall,
    .move = key_move,
    .along = key_along,
    .zoom = key_zoom,
    .take = key_take,
    .variant = key_variant,
    .leave = key_leave,
    .click = click,
    .turn = turn,
    .keys = keys,
};
