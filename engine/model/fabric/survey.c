/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest free blocks of RAMP where a rack is one word: rectangles of groups and racks, of
 * which the words of all racks are joined by "and", band by band of groups. What a rectangle may
 * hold at most says which ones need not be looked at. */
#include "model/fabric/survey.h"

#include <string.h>

#include "model/fabric/fabric_impl.h"

/* SIXTEENTHS: spans are kept from this many sixteenths of the largest block on. */
enum { RACKS_MAX = 256, SIXTEENTHS = 12 };

typedef struct Scan {
    const LpFabric *fabric;
    const LpRoom *room;
    LpSurvey *survey; /* NULL: only how large the largest one is */
    uint32_t floor;   /* only larger blocks are of interest */
    uint64_t *looked;
} Scan;

/* ---- what is found ---- */

static void drop_small(LpSurvey *survey, uint32_t floor) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < survey->count; i++)
        if (survey->span[i].size > floor)
            survey->span[kept++] = survey->span[i];
    survey->count = kept;
    survey->floor = floor;
}

static void note(Scan *s, const LpSpan *span) {
    LpSurvey *survey = s->survey;
    if (survey == NULL) {
        s->floor = span->size;
        return;
    }
    survey->span[survey->count++] = *span;
    if (span->size > survey->largest) {
        uint32_t floor = (uint32_t)((uint64_t)span->size * SIXTEENTHS / 16);
        survey->largest = span->size;
        survey->floor = survey->floor > floor ? survey->floor : floor;
    }
    if (survey->count == LP_SURVEY_SPANS) {
        /* Makes half of the list free: the largest ones stay. */
        uint32_t most = survey->largest;
        for (uint64_t part = SIXTEENTHS; survey->count > LP_SURVEY_SPANS / 2 && part < 16; part++)
            drop_small(survey, (uint32_t)(most * part / 16));
        if (survey->count > LP_SURVEY_SPANS / 2)
            drop_small(survey, most - 1);
        if (survey->count > LP_SURVEY_SPANS / 2) {
            survey->count = LP_SURVEY_SPANS / 2;
            survey->floor = most;
        }
    }
    s->floor = survey->floor;
}

/* ---- words ---- */

static uint32_t longest_run(uint64_t bits) {
    uint64_t runs[7] = {bits}; /* where runs of 1, 2, 4 and so on begin */
    uint32_t k = 0;
    if (bits == 0)
        return 0;
    for (uint64_t next; k < 6 && (next = runs[k] & runs[k] >> (1u << k)) != 0;)
        runs[++k] = next;
    uint32_t run = 1u << k;
    for (uint64_t have = runs[k]; k > 0 && run < 64;) {
        uint64_t more = have & runs[--k] >> run;
        have = more != 0 ? more : have;
        run += more != 0 ? 1u << k : 0;
    }
    return run;
}

/* Words of the racks of `groups` groups from group i, joined; false: no index is free in all groups
 * of any rack. */
static bool join_groups(const Scan *s, uint32_t i, uint32_t groups, uint64_t *band) {
    uint32_t racks = s->fabric->racks;
    const uint64_t *row = s->room->bits + (size_t)i * racks;
    uint64_t any = 0;
    memcpy(band, row, racks * sizeof *band);
    for (uint32_t g = 1; g < groups; g++) {
        any = 0;
        row += racks;
        for (uint32_t j = 0; j < racks; j++)
            any |= band[j] &= row[j];
        *s->looked += racks;
        if (any == 0)
            return false;
    }
    return true;
}

/* Each of `count` words joined with the `racks` - 1 after it. */
static void join_racks(uint64_t *row, uint32_t count, uint32_t racks) {
    uint32_t have = 1;
    for (; have * 2 <= racks; have *= 2)
        for (uint32_t j = 0; j + have < count; j++)
            row[j] &= row[j + have];
    for (uint32_t j = 0; have < racks && j + racks - have < count; j++)
        row[j] &= row[j + racks - have];
}

/* ---- rectangles ---- */

/* Rectangles of a size whose words are row[j]; false: there is no index in any of them. */
static bool look_at(Scan *s, const uint64_t *row, LpSpan span) {
    uint64_t any = 0, unit = (uint64_t)span.groups * span.racks;
    for (uint32_t j = 0; j + span.racks <= s->fabric->racks; j++) {
        any |= row[j];
        if (row[j] == 0 || unit * span.run <= s->floor)
            continue;
        uint32_t run = longest_run(row[j]);
        run = run < span.run ? run : span.run;
        span.size = (uint32_t)unit * run;
        span.rack = (uint16_t)j;
        span.bits = row[j];
        if (span.size > s->floor)
            note(s, &span);
    }
    *s->looked += s->fabric->racks;
    return any != 0;
}

/* Do the summaries let a rectangle of more than the floor lie in these groups? */
static bool may_lie(const Scan *s, uint32_t i, uint32_t groups, uint32_t low, uint32_t high) {
    uint32_t run = (uint32_t)(s->floor / ((uint64_t)groups * high)) + 1;
    LpRows summary = lp_room_summary(s->room, i, groups, run);
    return lp_rows_common(&summary, 0, low, s->looked) != UINT32_MAX;
}

/* Rectangles of `groups` groups and low to high racks, of which a block has `run` indices or less.
 */
static void scan(Scan *s, uint32_t groups, uint32_t low, uint32_t high, uint32_t run) {
    uint32_t racks = s->fabric->racks;
    uint64_t band[RACKS_MAX], row[RACKS_MAX];
    for (uint32_t i = 0; i + groups <= s->fabric->groups; i++) {
        if ((uint64_t)groups * high * run <= s->floor)
            return;
        if (!may_lie(s, i, groups, low, high) || !join_groups(s, i, groups, band))
            continue;
        memcpy(row, band, racks * sizeof *row);
        join_racks(row, racks, low);
        LpSpan span = {.run = run, .group = (uint16_t)i, .groups = (uint16_t)groups};
        for (uint32_t q = low; q <= high; q++) {
            span.racks = (uint16_t)q;
            for (uint32_t j = 0; q > low && j + q <= racks; j++)
                row[j] &= band[j + q - 1];
            if (!look_at(s, row, span))
                break;
        }
    }
}

/* Those that may hold more than the floor have as many racks at least. */
static uint32_t least_racks(const Scan *s, uint32_t groups, uint32_t run) {
    return (uint32_t)(s->floor / ((uint64_t)groups * run)) + 1;
}

/* The shapes of semantics 5.2: v x v x b, a x 1 x b, a x b x 1; or all that fit. */
static void scan_all(Scan *s) {
    const LpFabric *f = s->fabric;
    uint32_t side = f->groups < f->racks ? f->groups : f->racks;
    uint32_t depth = f->per_rack < f->racks ? f->per_rack : f->racks;
    for (uint32_t v = side; v > 0 && (uint64_t)v * v * f->per_rack > s->floor; v--)
        scan(s, v, v, v, f->per_rack);
    for (uint32_t a = side; a > 0 && (uint64_t)a * f->per_rack > s->floor; a--)
        scan(s, a, 1, 1, f->per_rack);
    for (uint32_t a = side; a > 0 && (uint64_t)a * depth > s->floor; a--)
        scan(s, a, least_racks(s, a, 1), depth, 1);
    for (uint32_t p = f->cluster->every_shape ? f->groups : 0;
         p > 0 && (uint64_t)p * f->racks * f->per_rack > s->floor; p--)
        scan(s, p, least_racks(s, p, f->per_rack), f->racks, f->per_rack);
}

static bool can_scan(const LpRoom *room) {
    return room->row_words == 1 && room->racks <= RACKS_MAX && room->groups <= UINT16_MAX;
}

bool lp_ramp_most(const LpFabric *fabric, const LpRoom *room, uint32_t *most, uint64_t *looked) {
    if (!can_scan(room))
        return false;
    Scan s = {.fabric = fabric, .room = room, .floor = *most, .looked = looked};
    scan_all(&s);
    *most = s.floor;
    return true;
}

bool lp_ramp_survey(const LpFabric *fabric, const LpRoom *room, LpSurvey *survey,
                    uint64_t *looked) {
    if (!can_scan(room))
        return false;
    survey->largest = survey->floor = survey->count = 0;
    Scan s = {.fabric = fabric, .room = room, .survey = survey, .looked = looked};
    scan_all(&s);
    if (survey->floor < survey->largest)
        drop_small(survey, survey->floor);
    return true;
}

/* ---- what stays ---- */

/* The rectangle of racks that a block lies in, its indices, and whether it fills them. */
typedef struct Extent {
    uint32_t group, group_end, rack, rack_end;
    uint64_t bits;
    bool full;
} Extent;

static Extent extent_of(const LpFabric *f, const uint32_t *block, uint32_t n) {
    Extent e = {.group = UINT32_MAX, .rack = UINT32_MAX};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t group = lp_fabric_group(f, block[i]), rack = lp_fabric_rack(f, block[i]);
        e.group = group < e.group ? group : e.group;
        e.group_end = group >= e.group_end ? group + 1 : e.group_end;
        e.rack = rack < e.rack ? rack : e.rack;
        e.rack_end = rack >= e.rack_end ? rack + 1 : e.rack_end;
        e.bits |= UINT64_C(1) << lp_fabric_index(f, block[i]);
    }
    e.full = (uint64_t)(e.group_end - e.group) * (e.rack_end - e.rack) *
                 (uint32_t)__builtin_popcountll(e.bits) ==
             n;
    return e;
}

static uint64_t without(const LpFabric *f, const LpSpan *span, const uint32_t *block, uint32_t n) {
    uint64_t bits = span->bits;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t group = lp_fabric_group(f, block[i]), rack = lp_fabric_rack(f, block[i]);
        if (group >= span->group && group - span->group < span->groups && rack >= span->rack &&
            rack - span->rack < span->racks)
            bits &= ~(UINT64_C(1) << lp_fabric_index(f, block[i]));
    }
    return bits;
}

static bool apart(const LpSpan *span, const Extent *e) {
    return span->group >= e->group_end || span->group + span->groups <= e->group ||
           span->rack >= e->rack_end || span->rack + span->racks <= e->rack ||
           (span->bits & e->bits) == 0;
}

uint32_t lp_survey_left(const LpFabric *f, const LpSurvey *survey, const uint32_t *block,
                        uint32_t n, uint32_t enough, uint64_t *looked) {
    Extent e = extent_of(f, block, n);
    for (uint32_t i = 0; i < survey->count && enough < survey->largest; i++) {
        const LpSpan *span = &survey->span[i];
        uint32_t size = span->size;
        if (size <= enough)
            continue;
        if (!apart(span, &e)) {
            uint64_t bits = e.full ? span->bits & ~e.bits : without(f, span, block, n);
            uint32_t run = longest_run(bits);
            run = run < span->run ? run : span->run;
            size = (uint32_t)span->groups * span->racks * run;
        }
        enough = size > enough ? size : enough;
    }
    *looked += survey->count / 4 + n;
    return enough;
}
