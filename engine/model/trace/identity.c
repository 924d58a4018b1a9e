/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/trace/identity.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"

const char *lp_identity_label(const LpIdentity *identity, uint32_t number,
                              char out[LP_LABEL_TEXT]) {
    if (identity != NULL && identity->name != NULL && identity->name[0] != '\0')
        return lp_str_show(out, LP_LABEL_TEXT, identity->name);
    snprintf(out, LP_LABEL_TEXT, "job %" PRIu32, number);
    return out;
}
