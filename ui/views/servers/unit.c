/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the server, rack or group under the cursor. */
#include "board/site.h"
#include "model/device/device.h"
#include "views/servers/servers_view_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "board/fleet.h"
#include "sim/store/store.h"

enum { PARTS_MOST = 4096, JOBS_MOST = 24 };

/* Items parted by tabs go on one line as far as there is room; a newline begins another. Returns
 * the line after the last. */
static int draw_items(const LpArea *area, int y, LpStyle style, const char *text) {
    int x = 0;
    while (*text) {
        char item[256];
        size_t len = strcspn(text, "\t\n");
        snprintf(item, sizeof item, "%.*s", (int)(len < 250 ? len : 250), text);
        int width = lp_text_width(item);
        if (x > 0 && x + 2 + width > area->rect.w) {
            y++;
            x = 0;
        } else if (x > 0) {
            x += 2;
        }
        x = lp_area_fit(area, x, y, area->rect.w - x, style, item);
        text += len;
        if (*text == '\n') {
            y++;
            x = 0;
        }
        text += *text != '\0';
    }
    return y + (x > 0);
}

static void add_clock(const LpModel *model, LpBuf *out, double time) {
    char text[LP_WORDS_TIME];
    if (isfinite(time))
        lp_buf_add(out, lp_words_at(model, time, text));
    else
        lp_buf_add(out, "not known");
}

/* ---- a server ---- */

static void add_cable(const LpModel *model, uint32_t s, LpBuf *out) {
    char rate[LP_SHOW_TEXT], delay[LP_SHOW_TEXT];
    LpNetworkWay cable;
    if (!lp_board_site_cable(model, s, &cable))
        return;
    lp_buf_addf(out, "\tcable %s/s, %s", lp_show_bytes(cable.rate, rate),
                lp_show_seconds(cable.delay, delay));
    if (cable.loss > 0)
        lp_buf_addf(out, ", loss %.3g", cable.loss);
}

static void add_place(const LpModel *model, uint32_t place, LpBuf *out) {
    const LpFleet *fleet = &lp_servers_facts(model)->fleet;
    const LpCluster *cluster = &model->scenario->cluster;
    uint32_t s = fleet->server[place];
    const LpServerType *type = &cluster->type[lp_cluster_type_of(cluster, s)];
    char bytes[LP_SHOW_TEXT], name[LP_SERVER_TEXT];
    lp_buf_addf(out, "server %s", lp_cluster_server(cluster, s, name));
    if (fleet->plan.rack) {
        lp_buf_add(out, ", ");
        lp_fleet_name(fleet, model->context, LP_FLEET_RACKS,
                      lp_fleet_unit(fleet, LP_FLEET_RACKS, place), out);
    }
    if (fleet->plan.group && model->board.joins == LP_BOARD_LINKS)
        lp_buf_addf(out, ", %s %u", fleet->plan.group,
                    (unsigned)lp_fleet_unit(fleet, LP_FLEET_GROUPS, place));
    lp_buf_addf(out, "\t%s\t%s", type->device ? type->device->name : "",
                lp_show_bytes(type->memory, bytes));
    add_cable(model, s, out);
    if (lp_world_server(model->world, s)->state == LP_SERVER_FAILED)
        lp_buf_add(out, "\tBROKEN");
}

static void add_job(const LpModel *model, const LpJob *job, LpBuf *out) {
    int letter = lp_letters_of(&model->letters, job->id);
    char text[LP_SHOW_TEXT], cut[LP_WORDS_CUT];
    lp_buf_addf(out, "%c %s %s\t%s done\tsince ", letter < 0 ? '-' : lp_letter(letter),
                lp_words_name(model, job).text, lp_words_cut(model, job, cut),
                lp_show_percent(lp_world_progress(model->world, job->id), text));
    add_clock(model, out, job->times.start);
    if (isfinite(job->times.forecast_end)) {
        lp_buf_add(out, "\tuntil ");
        add_clock(model, out, job->times.forecast_end);
    }
    if (job->light.dark != LP_JOB_LIT)
        lp_buf_add(out, job->light.dark == LP_JOB_HELD ? "\tstands still until what broke is mended"
                                                       : "\tstands still: it waits for circuits");
}

static void add_load(const LpModel *model, uint32_t server, const LpJob *job, LpBuf *out) {
    const LpServerLoad *load = &lp_servers_facts(model)->load[server];
    const LpCluster *cluster = &model->scenario->cluster;
    char share[LP_SHOW_TEXT], step[LP_SHOW_TEXT], held[LP_SHOW_TEXT], all[LP_SHOW_TEXT];
    if (job->placed.partition == LP_NO_INDEX || lp_servers_facts(model)->key[server].job != job->id)
        return;
    lp_buf_addf(
        out, "\ncomputes %s of a step of %s\t%u part%s of ops\tholds %s of %s",
        lp_show_percent(job->forecast.step_time > 0.0 ? load->busy / job->forecast.step_time : 0.0,
                        share),
        lp_show_seconds(job->forecast.step_time, step), (unsigned)load->parts,
        lp_str_s(load->parts), lp_show_bytes(load->memory, held),
        lp_show_bytes(cluster->type[lp_cluster_type_of(cluster, server)].memory, all));
}

static void add_before(const LpModel *model, const LpServer *server, LpBuf *out) {
    if (server->job == LP_NO_INDEX) {
        lp_buf_add(out, "\nfree since ");
        add_clock(model, out, server->since);
    }
    char cut[LP_WORDS_CUT];
    if (server->last_job == LP_NO_INDEX || server->last_job >= lp_world_jobs(model->world)) {
        lp_buf_add(out, "\nno job had it before");
        return;
    }
    const LpJob *job = lp_world_job(model->world, server->last_job);
    lp_buf_addf(out, "\nbefore: %s %s\t%s", lp_words_name(model, job).text,
                lp_words_cut(model, job, cut), lp_outcome_name((LpOutcome)job->outcome));
    if (isfinite(job->times.end)) {
        lp_buf_add(out, " at ");
        add_clock(model, out, job->times.end);
    }
}

/* "3.1 ms + 6.2 ms  op 2, part 1 of 4  Conv2d(...)": forward and backward. */
static void print_part(const LpServerPart *part, const LpOp *op, char *out, size_t size) {
    char forward[LP_SHOW_TEXT], backward[LP_SHOW_TEXT], which[48] = "";
    const char *name = op->name != NULL ? op->name : "";
    if (part->ways > 1)
        snprintf(which, sizeof which, ", part %u of %u", (unsigned)part->part + 1,
                 (unsigned)part->ways);
    snprintf(out, size, "%s + %s  op %u%s  %.*s", lp_show_seconds(part->forward, forward),
             lp_show_seconds(part->backward, backward), (unsigned)op->number, which,
             (int)lp_str_prefix(name, 60), name);
}

/* Its ops, the longest first. */
static void draw_ops(const LpModel *model, const LpArea *area, int y, uint32_t server,
                     const LpJob *job) {
    LpServerPart part[PARTS_MOST];
    const LpGraph *graph;
    if (job->placed.partition == LP_NO_INDEX || job->placed.placement == LP_NO_INDEX ||
        y >= area->rect.h)
        return;
    graph = model->scenario->graph[job->graph];
    uint32_t count = lp_server_parts(model->context, job->placed.partition, job->placed.placement,
                                     server, part, PARTS_MOST);
    count = count < PARTS_MOST ? count : PARTS_MOST;
    lp_server_parts_sort(part, count);
    for (uint32_t i = 0; i < count && y < area->rect.h; i++, y++) {
        const LpOp *op = &graph->op[part[i].op];
        char text[200];
        print_part(&part[i], op, text, sizeof text);
        lp_area_fit(area, 0, y, area->rect.w, LP_ROLE_MUTED, text);
    }
}

static void draw_server(const LpModel *model, const LpArea *area, uint32_t place) {
    uint32_t s = lp_servers_facts(model)->fleet.server[place];
    const LpServer *server = lp_world_server(model->world, s);
    LpBuf text = {0};
    add_place(model, place, &text);
    int y = draw_items(area, 0, LP_ROLE_LABEL, lp_buf_text(&text));
    lp_area_done(area, &text);
    const LpJob *job = server->job != LP_NO_INDEX ? lp_world_job(model->world, server->job) : NULL;
    if (job) {
        add_job(model, job, &text);
        add_load(model, s, job, &text);
        y = draw_items(area, y, lp_letter_hue(job->id), lp_buf_text(&text));
        lp_area_done(area, &text);
    }
    if (lp_model_is_pending(model, s))
        lp_buf_add(&text, "the marked row of the decision would take it\n");
    add_before(model, server, &text);
    const char *start = lp_buf_text(&text);
    y = draw_items(area, y, LP_ROLE_TEXT, start + (*start == '\n'));
    lp_area_done(area, &text);
    if (job)
        draw_ops(model, area, y, s, job);
}

/* ---- a rack or a group ---- */

static void add_jobs(const LpModel *model, uint32_t from, uint32_t end, LpBuf *out) {
    uint32_t seen[JOBS_MOST], count = 0;
    char cut[LP_WORDS_CUT];
    for (uint32_t p = from; p < end; p++) {
        uint32_t id = lp_world_server(model->world, lp_servers_facts(model)->fleet.server[p])->job,
                 i = 0;
        while (i < count && seen[i] != id)
            i++;
        if (id == LP_NO_INDEX || i < count)
            continue;
        if (count == JOBS_MOST) {
            lp_buf_add(out, "\tand more");
            return;
        }
        seen[count++] = id;
        const LpJob *job = lp_world_job(model->world, id);
        int letter = lp_letters_of(&model->letters, id);
        lp_buf_addf(out, "%s%c %u %s %s", count > 1 ? "\t" : "\n",
                    letter < 0 ? '-' : lp_letter(letter), (unsigned)id, lp_words_graph(model, job),
                    lp_words_cut(model, job, cut));
    }
}

static void draw_group(const LpModel *model, const LpArea *area, LpFleetLevel level,
                       uint32_t unit) {
    const LpFleet *fleet = &lp_servers_facts(model)->fleet;
    uint32_t from = lp_fleet_begin(fleet, level, unit),
             end = lp_fleet_begin(fleet, level, unit + 1);
    LpServersSum sum = lp_servers_sum(lp_servers_facts(model), model->session, from, end);
    char a[LP_SHOW_TEXT], b[LP_SHOW_TEXT];
    LpBuf text = {0};
    char many[LP_MANY_TEXT];
    lp_fleet_name(fleet, model->context, level, unit, &text);
    lp_buf_addf(&text, ": %s", lp_str_many(many, sum.servers, "server"));
    int y = draw_items(area, 0, LP_ROLE_LABEL, lp_buf_text(&text));
    lp_area_done(area, &text);
    lp_buf_addf(&text, "busy %u\tfree %u\tbroken %u", (unsigned)sum.busy, (unsigned)sum.free,
                (unsigned)sum.broken);
    if (sum.servers > 0)
        lp_buf_addf(&text, "\tcomputing %s of the time",
                    lp_show_percent(sum.computes / sum.servers, a));
    lp_buf_addf(&text, "\tmemory %s of %s", lp_show_bytes(sum.memory, a),
                lp_show_bytes(sum.has_memory, b));
    add_jobs(model, from, end, &text);
    draw_items(area, y, LP_ROLE_TEXT, lp_buf_text(&text));
    lp_area_done(area, &text);
}

/* ---- the details ---- */

static void draw_keys(const LpArea *area, const LpKeymap *map, LpFleetLevel level) {
    char text[200];
    snprintf(text, sizeof text,
             "%s  {zoom-out} zoom out  {variant} height   %s   ? to be taken  %s broken",
             level == LP_FLEET_SERVERS ? "{take} its job's step  {explain} story"
                                       : "{take} look into it",
             level == LP_FLEET_SERVERS ? "" : "+ several jobs",
             lp_glyph_text(LP_GLYPH_BROKEN, area->canvas->ascii));
    lp_area_keys(area, 0, area->rect.h - 1, area->rect.w, LP_ROLE_MUTED, map, text);
}

void lp_view_unit(const LpModel *model, const LpArea *area, LpFleetLevel level, uint32_t unit) {
    bool keys = area->rect.h >= 4;
    LpArea above = lp_area_part(area, (LpRect){0, 0, area->rect.w, area->rect.h - keys});
    if (level == LP_FLEET_SERVERS)
        draw_server(model, &above, unit);
    else
        draw_group(model, &above, level, unit);
    if (keys)
        draw_keys(area, model->ui->keymap, level);
}
