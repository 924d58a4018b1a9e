/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An uneven all-to-all as a table, bars, and matching by matching. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "ask/collective/uneven_kind.h"
#include "base/num.h"
#include "sim/uneven/uneven_match.h"

enum { TEXT = 64, BAR = 40 };

/* Times side by side differ in later digits than the third. */
static const char *time_text(double seconds, char text[TEXT]) {
    static const struct {
        double from, factor;
        const char *unit;
    } units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {1e-6, 1e6, "us"}, {0, 1e9, "ns"}};
    int at = 0;
    while (seconds > 0 && seconds < units[at].from)
        at++;
    snprintf(text, TEXT, "%.6g %s", seconds * units[at].factor, units[at].unit);
    return text;
}

static void add_time(LpBuf *out, int width, double seconds) {
    char text[TEXT];
    lp_buf_addf(out, "  %*s", width, time_text(seconds, text));
}

static void add_head(const LpCollUneven *u, LpBuf *out) {
    char bytes[TEXT], local[TEXT], rate[TEXT], ideal[TEXT];
    lp_quantity_print((double)u->bytes, LP_DIM_BYTES, bytes, sizeof bytes);
    lp_quantity_print((double)u->local, LP_DIM_BYTES, local, sizeof local);
    lp_quantity_print(u->all.rate, LP_DIM_BANDWIDTH, rate, sizeof rate);
    lp_buf_addf(out, "%" PRIu32 " servers, %s in all", u->all.servers, bytes);
    if (u->local > 0)
        lp_buf_addf(out, ", of which %s stay where they are", local);
    lp_buf_addf(out, "; %" PRIu32 " circuit port%s of %s", u->all.ports, lp_str_s(u->all.ports),
                rate);
    if (u->all.packet_ports > 0)
        lp_buf_addf(out, " and %" PRIu32 " for packets", u->all.packet_ports);
    lp_buf_addf(out, "\na packet network of as many ports: %s\n\n", time_text(u->ideal, ideal));
}

static void add_row(const LpCollCut *row, LpBuf *out) {
    const LpUnevenRun *run = &row->run;
    add_time(out, 10, row->delay);
    lp_buf_addf(out, "  %-10s  %9" PRIu32, lp_uneven_cut_name(row->cut), row->matchings);
    if (run->never) {
        lp_buf_addf(out, "  %5s  %13s  %12s  %7s", "-", "never", "never", "-");
    } else {
        lp_buf_addf(out, "  %5" PRIu32, run->turns);
        add_time(out, 13, run->communication);
        add_time(out, 12, run->time);
        lp_buf_addf(out, "  %7" PRIu32, run->batches);
    }
    add_time(out, 12, row->bound);
    lp_buf_add(out, "\n");
}

/* ---- bars ---- */

static void add_bar(const char *name, double time, double longest, bool ascii, LpBuf *out) {
    char text[TEXT];
    int halves = longest > 0 ? (int)floor(time / longest * 2 * BAR + .5) : 0;
    lp_buf_addf(out, "  %-10s  ", name);
    for (int i = 0; i < BAR; i++) {
        bool full = halves >= 2 * (i + 1), half = halves == 2 * i + 1;
        lp_buf_add(out, full ? ascii ? "#" : "█" : half && !ascii ? "▌" : " ");
    }
    lp_buf_addf(out, "  %s", time_text(time, text));
}

/* With how many matchings it is done soonest, packets carrying the rest. */
static void add_soonest(const LpCollCut *row, LpBuf *out) {
    char text[TEXT];
    uint32_t best = 0;
    for (uint32_t k = 1; k <= row->all; k++)
        if (row->by[k].time < row->by[best].time * (1 - LP_UNEVEN_TIE))
            best = k;
    if (best != row->matchings)
        lp_buf_addf(out, "; %s with %" PRIu32 " of %" PRIu32, time_text(row->by[best].time, text),
                    best, row->all);
}

static void add_bars(const LpCollUneven *u, uint32_t from, bool ascii, LpBuf *out) {
    char text[TEXT];
    double longest = u->ideal;
    for (uint32_t i = from; i < from + u->cuts; i++) {
        const LpCollCut *row = &u->row[i];
        longest = !row->run.never && row->run.time > longest ? row->run.time : longest;
        longest = row->bound > longest ? row->bound : longest;
    }
    lp_buf_addf(out, "\ntime by cut, a turn in %s\n", time_text(u->row[from].delay, text));
    for (uint32_t i = from; i < from + u->cuts; i++) {
        const LpCollCut *row = &u->row[i];
        if (row->run.never)
            lp_buf_addf(out, "  %-10s  never: bytes are left, and there is no port for packets",
                        lp_uneven_cut_name(row->cut));
        else
            add_bar(lp_uneven_cut_name(row->cut), row->run.time, longest, ascii, out);
        if (row->by != NULL)
            add_soonest(row, out);
        lp_buf_add(out, "\n");
    }
    add_bar("packets", u->ideal, longest, ascii, out);
    lp_buf_add(out, "\n");
    add_bar("bound", u->row[from].bound, longest, ascii, out);
    lp_buf_add(out, "\n");
}

/* ---- matching by matching ---- */

static void add_slot(const LpUnevenSlots *slots, uint32_t k, const LpUnevenSlot *slot, LpBuf *out) {
    char bytes[TEXT];
    lp_buf_addf(out, "  %4" PRIu32 "  %-4s", k + 1, slot->turned ? "turn" : "");
    add_time(out, 12, slot->from);
    add_time(out, 12, slot->to);
    lp_buf_addf(out, "  %10s ",
                lp_quantity_print((double)slot->bytes, LP_DIM_BYTES, bytes, sizeof bytes));
    for (uint32_t i = 0; i < slots->servers; i++) {
        uint8_t to = slots->to[(size_t)k * slots->servers + i];
        if (to != LP_UNEVEN_NONE)
            lp_buf_addf(out, " %" PRIu32 "-%u", i, to);
    }
    lp_buf_add(out, "\n");
}

static LpErr add_matchings(const LpCollUneven *u, const LpCollCut *row, LpBuf *out) {
    char delay[TEXT];
    LpUnevenSlots slots;
    LpUnevenRun run;
    LP_TRY(lp_uneven_cut(&u->all, row->cut, row->delay, &slots, NULL));
    LpUnevenSlot *slot = lp_alloc((size_t)row->matchings + 1, sizeof *slot);
    LpErr err = slot == NULL ? LP_ENOMEM
                             : lp_uneven_run(&u->all, &slots, row->delay, row->matchings,
                                             row->matchings, &run, slot, NULL);
    if (err == LP_OK)
        lp_buf_addf(out, "\n%s, a turn in %s:\n  %4s  %4s  %12s  %12s  %10s  pairs\n",
                    lp_uneven_cut_name(row->cut), time_text(row->delay, delay), "no.", "", "from",
                    "to", "bytes");
    for (uint32_t k = 0; k < row->matchings && err == LP_OK; k++)
        add_slot(&slots, k, &slot[k], out);
    lp_free(slot);
    lp_uneven_slots_free(&slots);
    return err;
}

void lp_coll_uneven_text(const void *it, bool each, bool ascii, LpBuf *out) {
    const LpCollUneven *u = it;
    add_head(u, out);
    lp_buf_addf(out, "  %10s  %-10s  %9s  %5s  %13s  %12s  %7s  %12s\n", "delay", "cut",
                "matchings", "turns", "communication", "time", "batches", "bound");
    for (uint32_t i = 0; i < u->rows; i++)
        add_row(&u->row[i], out);
    for (uint32_t i = 0; i < u->rows; i += u->cuts)
        add_bars(u, i, ascii, out);
    for (uint32_t i = 0; each && i < u->rows; i++)
        if (add_matchings(u, &u->row[i], out) != LP_OK)
            out->failed = true;
}
