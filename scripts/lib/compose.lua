-- compose.lua: a policy made of parts of others.
--
--   local compose = require("compose")
--   return compose({
--     name = "tight",
--     partition = require("meets_deadline"), -- its hook `partition` and its parameters
--     place = require("pack_groups"),
--     order_ops = function(self, job, cluster) return "critical_path" end,
--   })
--
-- A part is a policy, of which the hook of that name is taken, or a function. Parameters of the
-- parts are put together; of two with one name the one of the earlier hook (in the order below)
-- counts for both, and `params` overrides any. All parts share self.mem.
local HOOKS = {
  "order_queue", "queue_key", "partition", "place", "order_ops", "order_flows", "configure", "review",
}

-- The order of a policy that gives keys, for every round anew.
local function by_key(part)
  return part.queue_key and function(self, queue, cluster)
    local key = {}
    for _, job in ipairs(queue) do
      key[job.id] = part.queue_key(self, job, cluster)
    end
    table.sort(queue, function(a, b)
      local x, y = key[a.id], key[b.id]
      return x < y or (x == y and a.id < b.id)
    end)
    return queue
  end
end

local function check_keys(spec)
  local known = { name = true, doc = true, params = true }
  for _, hook in ipairs(HOOKS) do
    known[hook] = true
  end
  for key in pairs(spec) do
    if not known[key] then
      error(("compose: there is no hook '%s'"):format(tostring(key)), 3)
    end
  end
end

return function(spec)
  check_keys(spec)
  local params = {}
  local policy = { name = spec.name, api = 1, doc = spec.doc, params = params }
  for name, declaration in pairs(spec.params or {}) do
    params[name] = declaration
  end
  for _, hook in ipairs(HOOKS) do
    local part = spec[hook]
    if type(part) == "function" then
      policy[hook] = part
    elseif part ~= nil then
      policy[hook] = part[hook]
      if part[hook] and (hook == "order_queue" or hook == "queue_key") then
        policy.queue = part.queue
      elseif hook == "order_queue" then
        policy[hook] = by_key(part) -- the order alone: it does not bind
      end
      if not policy[hook] then
        error(("compose: the policy '%s' has no hook %s"):format(tostring(part.name), hook), 2)
      end
      for name, declaration in pairs(part.params or {}) do
        params[name] = params[name] or declaration
      end
    end
  end
  return policy
end
