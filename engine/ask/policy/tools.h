/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tools for people who write policies: what there is, a file to start from, what is wrong with one,
 * and the interface in the formats of editors and manuals. */
#ifndef LP_ASK_POLICY_TOOLS_H
#define LP_ASK_POLICY_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* Appends every policy found in the working folder, its scripts/, and scripts/ of the data folders
 * (the first of equal file names counts), by file name: name, doc, parameters with defaults. A file
 * that does not load is listed with its error. json: one object with a newline. Errors: LP_ENOMEM.
 */
LpErr lp_policy_tool_list(bool json, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* Appends a policy to start from: every hook as a commented example: taking the "--" from
 * lines where a letter or two spaces follow it gives a working policy. Errors: LP_EINVAL for a name
 * that is not made of letters, digits, '-' and '_'; LP_ENOMEM. */
LpErr lp_policy_tool_new(const char *name, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* Checks one policy file, with parameters "k=v": it loads, uses no unknown global names, keeps the
 * contract on mini-scenarios (published; corrected with a queue and rigid jobs; ideal; and, where
 * it has hooks or names that are of no use there, circuit switches, a pod, servers that fail, light
 * inside a step), and changes nothing outside of self.mem that it would miss
 * later. Appends what was found, what decisions cost, and a table against the policies that came
 * with the program; *passed says whether all is well. Errors: LP_EIO where the file cannot be read,
 * LP_ENOMEM. Takes as long as the policy does: some hundred decisions. */
LpErr lp_policy_tool_check(const char *path, uint32_t params, const char *const *param, LpBuf *out,
                           bool *passed, LpDiag *diag) LP_MUST_USE;

/* Appends the interface of policies, made from the one table that the program reads itself, as
 * "luacats" (annotations for editors), "man" (mdoc items) or "text". Errors: LP_EINVAL for another
 * format, LP_ENOMEM. */
LpErr lp_policy_tool_api(const char *format, LpBuf *out, LpDiag *diag) LP_MUST_USE;

/* Appends what the interface says of a name, "cluster", "cluster.predict" or "predict": a line
 * "# group", then "name, tab, type" and "tab, meaning" for each. Returns how many were found. */
uint32_t lp_policy_tool_about(const char *topic, LpBuf *out);
/* Appends every name that has something said of it, a line each. */
void lp_policy_tool_topics(LpBuf *out);

#endif
