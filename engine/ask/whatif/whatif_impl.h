/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that print what-if tables. */
#ifndef LP_ASK_WHATIF_WHATIF_IMPL_H
#define LP_ASK_WHATIF_WHATIF_IMPL_H

#include "ask/whatif/whatif.h"

/* Where a row leads, NULL or not ended: null; in a table two columns, of which LP_WHATIF_ENDS is
 * the title. */
#define LP_WHATIF_ENDS "    blocked    mean JCT"
#define LP_WHATIF_ENDS_MEAN                                                                        \
    "blocked, mean JCT: of the whole run, if this were answered; > what the policy answers\n"
void lp_whatif_end_json(LpJsonOut *out, const LpWhatIf *row);
void lp_whatif_end_text(const LpWhatIf *row, LpBuf *out);

#endif
