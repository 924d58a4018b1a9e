/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The readers of traces of a training step: rows of the table in import/formats.c. */
#ifndef LP_IMPORT_STEPS_STEPS_H
#define LP_IMPORT_STEPS_STEPS_H

#include "import/rows/format.h"

extern const LpFormat lp_format_chakra, lp_format_goal, lp_format_simai;

#endif
