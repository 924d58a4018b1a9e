-- tight.lua: just enough servers, in as few groups as possible, critical path first.
-- Rule: the degree of meets_deadline.lua, the block of pack_groups.lua, the orders of
-- order_critical_path.lua: a policy made of parts of others.
-- Source: an example of scripts/lib/compose.lua.
local compose = require("compose")
local order = require("order_critical_path")

return compose({
  name = "tight",
  doc = "meets_deadline, pack_groups and order_critical_path in one",
  partition = require("meets_deadline"),
  place = require("pack_groups"),
  order_ops = order,
  order_flows = order,
})
