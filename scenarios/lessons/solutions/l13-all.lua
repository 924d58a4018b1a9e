-- Takes whoever fits.
local policy = { name = "l13-all", api = 1, doc = "takes whoever fits" }

function policy:place()
  return true
end

return policy
