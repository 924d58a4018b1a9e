/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of a new policy. Lines that start with "--" and a letter or two spaces are
 * code to be uncommented. */
#include <string.h>

#include "ask/policy/tools.h"
#include "script/policy/api_table.h"

enum { NAME_MAX_LENGTH = 60 };

static const char HEAD[] =
    ".lua: say here in one line what it does.\n"
    "-- Rule: how it decides, so that somebody else could write it again.\n"
    "-- Source: where the rule comes from.\n"
    "--\n"
    "-- lightpath policy check FILE    what is wrong with it, what it costs, how it compares\n"
    "-- lightpath policy api           every hook, field and method; see also lightpath-lua(7)\n"
    "\n"
    "---@type lightpath.Policy\n"
    "local policy = {\n"
    "  name = \"";

static const char PARAMS[] = "\",\n"
                             "  api = 1,\n"
                             "  doc = \"one sentence for lists\",\n"
                             "  params = {\n"
                             "    -- read as self.p.max_degree, set with --param max_degree=8\n"
                             "    max_degree = { default = 16, type = \"integer\", min = 1, doc = "
                             "\"largest degree to try\" },\n"
                             "  },\n"
                             "}\n"
                             "\n";

/* A hook's example: what stands above it, and its lines below the one with its name and arguments,
 * which the table of the interface gives. Commented: its lines begin with "--". */
static const struct {
    const char *hook;
    bool commented;
    const char *above, *below;
} EXAMPLES[] = {
    {"partition", false,
     "-- How many ways are the job's operations split? A degree, { [op] = ways }, nil (the job is\n"
     "-- declined) or \"wait\"; then a reason, which is shown beside the decision.\n",
     "  for _, degree in ipairs(cluster:degrees(job, self.p.max_degree)) do\n"
     "    local forecast = cluster:predict(job, { degree = degree })\n"
     "    if forecast.feasible and forecast.finish <= job.deadline then\n"
     "      return degree, (\"%d ways end at %.4g s\"):format(degree, forecast.finish)\n"
     "    end\n"
     "  end\n"
     "  return nil, \"no degree meets the deadline\"\n"
     "end\n"},
    {"place", true,
     "\n"
     "-- Every other hook may be left out: the engine's default answers. To use one, take the "
     "\"--\"\n"
     "-- from its lines.\n"
     "\n"
     "-- Which servers run the parts? { servers = { id, ... } }, nil, or \"wait\". A rigid job (so "
     "many\n"
     "-- servers for so long) has no graph and comes here only. Default: the first block that "
     "fits.\n",
     "--  local n = job.rigid or cluster:predict(job).partition_degree\n"
     "--  local best\n"
     "--  for _, block in ipairs(n and cluster:blocks(n) or {}) do\n"
     "--    if not best or block.largest_left > best.largest_left then\n"
     "--      best = block\n"
     "--    end\n"
     "--  end\n"
     "--  if not best then\n"
     "--    return \"wait\", \"no free block\"\n"
     "--  end\n"
     "--  return { servers = best.servers }, \"leaves a block of \" .. best.largest_left\n"
     "--end\n"},
    {"order_ops", true,
     "\n"
     "-- Which part that is ready runs first on a server? A rule, or a number for each of "
     "job.parts,\n"
     "-- the greater first. Default: \"srpt\".\n",
     "--  return \"critical_path\"\n"
     "--end\n"},
    {"order_flows", true,
     "\n"
     "-- Which flow that is ready takes a light path first? A rule, or a number for each of "
     "flows.\n"
     "-- Default: \"srpt\".\n",
     "--  return \"critical_path\"\n"
     "--end\n"},
    {"phase", true,
     "\n"
     "-- When is a circuit ordered that turns inside a step? \"on-demand\" or \"provisioned\".\n"
     "-- Default: as the scenario says.\n",
     "--  return phase.ring and \"provisioned\" or \"on-demand\"\n"
     "--end\n"},
    {"order_queue", true,
     "\n"
     "-- In which order are waiting jobs offered again? Default: as they came.\n",
     "--  table.sort(queue, function(a, b)\n"
     "--    return a.deadline < b.deadline\n"
     "--  end)\n"
     "--  return queue, \"earliest deadline first\"\n"
     "--end\n"},
    {"queue_key", true,
     "\n"
     "-- In which order do jobs wait? The lower, the sooner; instead of order_queue.\n",
     "--  return job.deadline\n"
     "--end\n"},
    {"failure", true,
     "\n"
     "-- What does a job do that a failure stopped? \"spare\", \"requeue\", \"hold\", \"shrink\" "
     "or "
     "\"abort\".\n"
     "-- Default: as the scenario says (on_failure).\n",
     "--  return what.lost > 3600 and \"hold\" or \"spare\", \"lost \" .. what.lost .. \" s\"\n"
     "--end\n"},
    {"review", true,
     "\n"
     "-- What is to be done after something happened? { action, ... } or nil; see "
     "lightpath-lua(7).\n",
     "--  if event.kind == \"wait\" and #cluster.running > 0 then\n"
     "--    return { { \"wake\", at = event.time + 60 } }, \"look again in a minute\"\n"
     "--  end\n"
     "--end\n"},
    {"configure", true,
     "\n"
     "-- Which ports do circuit switches join? On the fabric ocs only.\n",
     "--  return nil\n"
     "--end\n"},
};

static const char TAIL[] = "\n"
                           "return policy\n";

/* "function policy:place(job, cluster)" */
static void add_signature(LpBuf *out, const char *hook) {
    size_t count;
    const LpApiRow *row = lp_api_table(&count);
    while (row->kind != LP_API_HOOK || strcmp(row->name, hook) != 0)
        row++;
    lp_buf_addf(out, "function policy:%s(", hook);
    for (size_t i = 0; i < lp_api_takes(row); i++)
        lp_buf_addf(out, "%s%s", i > 0 ? ", " : "", row->takes[i].name);
    lp_buf_add(out, ")\n");
}

LpErr lp_policy_tool_new(const char *name, LpBuf *out, LpDiag *diag) {
    static const char LETTERS[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t len = strlen(name);
    char shown[80];
    if (len == 0 || len > NAME_MAX_LENGTH || name[0] == '-' || strspn(name, LETTERS) != len)
        return lp_fail(diag, LP_EINVAL,
                       "\"%s\" is no name for a policy: expected letters, digits, - and _",
                       lp_str_show(shown, sizeof shown, name));
    lp_buf_addf(out, "-- %s", name);
    lp_buf_add(out, HEAD);
    lp_buf_add(out, name);
    lp_buf_add(out, PARAMS);
    for (size_t i = 0; i < LP_COUNTOF(EXAMPLES); i++) {
        lp_buf_add(out, EXAMPLES[i].above);
        lp_buf_add(out, EXAMPLES[i].commented ? "--" : "");
        add_signature(out, EXAMPLES[i].hook);
        lp_buf_add(out, EXAMPLES[i].below);
    }
    lp_buf_add(out, TAIL);
    return lp_buf_ok(out, diag);
}
