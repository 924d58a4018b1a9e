-- ocs_given.lua: a cycle of matchings that is given, whatever is asked of the circuits.
-- Rule: "ring" sets one matching for good, each server lit to the next one; "pairs" takes turns between two
-- matchings, `hold` seconds each: servers 0-1, 2-3 ... and 1-2, 3-4 ...; "none" leaves all dark. Jobs go in as
-- many ways as have a place, at most `degree`.
-- Source: none; it shows what circuits are worth that suit a job, and ones that only come near.
local policy = {
  name = "ocs_given", api = 1, doc = "a cycle of matchings that is given",
  params = {
    circuits = { default = "ring", doc = "ring, pairs or none" },
    hold     = { default = 0.1, type = "number", min = 0.001, doc = "how long each matching of pairs stays, seconds" },
    degree   = { default = 4, type = "integer", min = 1, doc = "most ways of a job" },
  },
}

-- To whom each of n servers sends, where those from `first` on stand in pairs.
local function pairs_from(first, n)
  local match = {}
  for i = first, first + n - 2, 2 do
    local one, other = (i - 1) % n + 1, i % n + 1
    match[one], match[other] = other, one
  end
  return match
end

function policy:partition(job, cluster)
  local most
  for _, degree in ipairs(cluster:degrees(job)) do
    if degree <= self.p.degree then most = degree end
  end
  if not most then return nil, "no degree has a place" end
  return most, "the most ways up to the parameter degree"
end

function policy:configure(fabric, demand, cluster)
  local n, kind = cluster.servers, self.p.circuits
  if kind == "none" or #cluster.running == 0 then return nil end
  if kind == "pairs" and n % 2 == 0 then
    return { { match = pairs_from(1, n), hold = self.p.hold }, { match = pairs_from(2, n), hold = self.p.hold } }, "pairs"
  end
  local ring = {}
  for i = 1, n do ring[i] = i % n + 1 end
  return { { match = ring, hold = self.p.hold } }, "a ring"
end

return policy
