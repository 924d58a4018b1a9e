/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The largest free blocks of a room of RAMP, listed once so that what stays of them when some
 * servers are taken is known without another search: least_fragmenting asks that of many blocks. */
#ifndef LP_MODEL_FABRIC_SURVEY_H
#define LP_MODEL_FABRIC_SURVEY_H

#include "model/fabric/fabric.h"

/* The indices that are free in all racks of a rectangle of groups and racks. */
typedef struct LpSpan {
    uint64_t bits;
    uint32_t size; /* servers of the largest block in it */
    uint32_t run;  /* indices that such a block may have at most */
    uint16_t group, rack, groups, racks;
} LpSpan;

enum { LP_SURVEY_SPANS = 1024 };

struct LpSurvey {
    uint32_t largest; /* servers of the largest one, 0: none */
    uint32_t floor;   /* most servers of a block that is in no span */
    uint32_t count;
    LpSpan span[LP_SURVEY_SPANS];
};

/* Servers of the largest block that is left in the spans once the n servers of a block, ascending,
 * are taken; `enough` where that is no larger. *looked counts spans. O(n + spans). */
uint32_t lp_survey_left(const LpFabric *fabric, const LpSurvey *survey, const uint32_t *block,
                        uint32_t n, uint32_t enough, uint64_t *looked);

#endif
