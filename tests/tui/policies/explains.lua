-- Explains what it weighs: for the decision pane.
local policy = { name = "explains", api = 1, params = { most = { default = 8, doc = "largest degree" } } }

function policy:partition(job, cluster)
  local rows, chosen = {}, nil
  for _, degree in ipairs(cluster:degrees(job, self.p.most)) do
    local f = cluster:predict(job, { degree = degree })
    local jct = f.jct and ("%.2f"):format(f.jct) or "-"
    rows[#rows + 1] = { degree, jct, f.shape or "none", f.cause or "ok" }
    if f.feasible and f.finish <= job.deadline and not chosen then
      chosen = #rows
    end
  end
  explain { columns = { "degree", "JCT s", "block", "verdict" }, rows = rows, chosen = chosen }
  if chosen then
    return rows[chosen][1], ("row %d is the first in time"):format(chosen)
  end
  return nil, "none is in time"
end

return policy
