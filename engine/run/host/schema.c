/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemas, for those above. */
#include "run/host/schema.h"

#include "io/schema.h"

LpErr lp_run_schema(const char *name, LpBuf *out, LpDiag *diag) {
    return lp_schema_add(name, out, diag);
}
