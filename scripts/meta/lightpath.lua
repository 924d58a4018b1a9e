---@meta
-- The policy interface for editors (LuaCATS), made by `make docs` from
-- engine/script/policy/api_table.h. See lightpath-lua(7). In a policy write
--     ---@type lightpath.Policy
-- above `local policy = { ... }`.

---@class lightpath.Policy
---@field partition? fun(self: lightpath.Policy, job: lightpath.Job, cluster: lightpath.Cluster): integer|table<integer, integer>|lightpath.Plan|nil|"wait", string?, table? how many ways to split the job's operations, or a plan of a job whose graph has plans (a degree then means the fastest plan of so many servers that fits); 0 or nil declines the job; absent: the largest degree that may be answered
---@field place? fun(self: lightpath.Policy, job: lightpath.Job, cluster: lightpath.Cluster): { servers: integer[] }|{ parts: table<integer, integer[]> }|lightpath.Slice|{ cubes: integer[], slice: string? }|{ cube: integer?, origin: integer[], orientation: integer[], slice: string? }|true|nil|"wait", string?, table? which servers run the parts; on a pod a place of cluster:slices, or cubes by ordinal (switched wiring, whole cubes), or a box (static wiring: of cubes in the grid; a part: of accelerators in its cube); absent or true: the first block, or place, that fits
---@field order_ops? fun(self: lightpath.Policy, job: lightpath.Job, cluster: lightpath.Cluster): "srpt"|"critical_path"|"fifo"|"longest"|number[]|nil, string? which ready part runs first on a server: a rule, or a priority for each of job.parts, the greatest first; absent or nil: srpt
---@field order_flows? fun(self: lightpath.Policy, job: lightpath.Job, flows: lightpath.Flow[], cluster: lightpath.Cluster): "srpt"|"critical_path"|"fifo"|"longest"|number[]|nil, string? which ready flow takes a light path first: a rule, or a priority for each of flows, the greatest first; absent or nil: srpt
---@field phase? fun(self: lightpath.Policy, job: lightpath.Job, phase: lightpath.Phase, light: lightpath.Light): "on-demand"|"provisioned"|nil, string? when is a circuit ordered that turns inside the step of a job with a plan, on rails or in a region: when its data are ready, or as soon as its ports are idle; asked for each turn of a step, and all steps of the job are alike; absent or nil: as the scenario says
---@field order_queue? fun(self: lightpath.Policy, queue: lightpath.Job[], cluster: lightpath.Cluster): lightpath.Job[]|nil, string? in which order waiting jobs are offered; a job left out waits this round; absent or nil: as in the queue
---@field queue_key? fun(self: lightpath.Policy, job: lightpath.Job, cluster: lightpath.Cluster): number the job's place in the queue: the lower, the sooner, of equal ones the one that arrived first; asked when the job arrives, and each time that it comes back into the queue, so that it must not change while the job waits; not together with order_queue; absent: in the order in which they came
---@field configure? fun(self: lightpath.Policy, fabric: lightpath.Optics, demand: number[][], cluster: lightpath.Cluster): table|nil, string? which ports circuit switches join (fabric ocs only): one matching stays, several are a cycle; asked whenever running jobs change and at every interval of the scenario; fabric is cluster:optics(), demand[i][j] bytes/s that jobs would send from port i to port j; nil: as it is; absent: the engine's rule where the scenario gives an interval
---@field failure? fun(self: lightpath.Policy, job: lightpath.Job, what: lightpath.Failure, cluster: lightpath.Cluster): "spare"|"requeue"|"hold"|"shrink"|"abort"|table|table|nil, string? what does a job do that a failure stopped, in scenarios with failures or on_failure: go on at once with others in place of what is broken, wait in the queue, keep its servers until they are mended, go on smaller, or end, or one whose slice lost light and goes on more slowly: also go on so (degraded); asked once a job and instant, after all failures of the instant; absent or nil: as on_failure says
---@field review? fun(self: lightpath.Policy, event: lightpath.Event, cluster: lightpath.Cluster): lightpath.Action[]|nil, string? what to do after something happened; absent or nil: nothing
---@field p table the parameters, typed as declared; read-only
---@field mem table what the policy remembers from one call to the next: plain data, at most 64 KiB
---@field name string short name of the policy
---@field api integer version of this interface that it was written for: 1
---@field doc? string one sentence for lists; optional
---@field params? table<string, lightpath.Param> parameters that `--param` and the scenario may set; optional
---@field queue? { head: "passes"|"blocks"?, ties: "block"|"pass"?, behind: string?, list: boolean? } how the order of queue_key binds: with head = "blocks" nobody is asked while a job that goes before it waits (ties = "pass": unless it has the same key), and a job that arrives behind another waits with the reason behind, in which %d stands for that one's number; with list = false order_queue is given no queue (nil), which costs less where many wait, and is asked again after each start of its round; optional
local policy = {}

---the policy's own random stream: a float in [0, 1), or a whole number 1..n
---@param n? integer
---@return number
function policy:rand(n) end

---@class lightpath.Param
---@field default? number|boolean|string value when nobody sets one; max_degree may leave it to the scenario
---@field doc? string one sentence
---@field type? "number"|"integer"|"boolean"|"string"|"network" default: that of `default`; a network is given by its file, which lightpath train wrote
---@field min? number smallest value; optional
---@field max? number largest value; optional

---@class lightpath.Cluster
---@field now number time of this decision, seconds
---@field servers integer servers of the cluster; their ids are 0 to servers - 1
---@field free integer servers that are free now
---@field busy number share of the servers that jobs hold now, 0 to 1; servers - free is their number
---@field running lightpath.Job[] in order of their start
---@field waiting lightpath.Job[] in order of their arrival in the queue
---@field queue_capacity integer jobs that may wait
---@field max_degree integer the scenario's largest degree
---@field fabric string kind of the network: "ramp", "ideal", "packet", "zones", "ocs", "pod"
---@field groups integer communication groups
---@field racks integer racks in a group
---@field servers_per_rack integer servers in a rack; id = (group * racks + rack) * servers_per_rack + index
local cluster = {}

---degrees that may be answered now, ascending, without 0; max: the scenario's max_degree
---@param job lightpath.Job
---@param max? integer
---@return integer[]
function cluster:degrees(job, max) end

---the plans of the job's graph that fit into the memory of a server, by servers, of equals the fastest first; empty for a job without plans. What is listed may be answered
---@param job lightpath.Job
---@return lightpath.Plan[]
function cluster:plans(job) end

---is a block of n servers free now? without: if these running jobs were preempted; false where nobody may be
---@param n integer
---@param without? lightpath.Job[]
---@return boolean
function cluster:fits(n, without) end

---as few running jobs as make a block of n servers free if they are preempted, of those whose "work" left (servers x seconds) or "service" attained is above that number; levels: compared is how many of these a job's service has passed, in their order. The highest first, of equals the latest; nil: all of them do not, or nobody may be
---@param n integer
---@param by string
---@param above number
---@param levels? number[]
---@return lightpath.Job[]|nil
function cluster:stops(n, by, above, levels) end

---when the next running job's service passes the next of these levels before it ends; nil: none will
---@param levels number[]
---@return number|nil
function cluster:passes_at(levels) end

---the first by queue_key of those that wait to be offered, but for this one; nil: none
---@param except? lightpath.Job
---@return lightpath.Job|nil
function cluster:first_waiting(except) end

---those that may be offered at a completion, in the order of the queue; of the rigid ones only those for which a block is free, of at most n servers, that last at most so many seconds, and of these the first `limit`
---@param n integer
---@param seconds number
---@param limit? integer
---@return lightpath.Job[]
function cluster:waiting_upto(n, seconds, limit) end

---the time from which a block of n servers, or a place that a job asks for, is free if running jobs end as forecast and nobody starts meanwhile: now where one is free; nil: never, or unknown under the published horizon
---@param job lightpath.Job|integer
---@return number|nil
function cluster:free_at(job) end

---the levels of the cluster's tree, closest to the servers first: { name, nodes, largest, most } with the free servers of the freest node and the servers of the largest one
---@return table
function cluster:levels() end

---the nodes of a level now: { name, number, free, servers, down, parent }, numbers from 0
---@param level string
---@return table
function cluster:nodes(level) end

---free servers under a node; a few nanoseconds on any number of servers
---@param level string
---@param number integer
---@return integer
function cluster:free_in(level, number) end

---is there a place for the job as it asks for one (job.required, preferred, segment), and under which node; of one with a graph in place
---@param job lightpath.Job
---@return boolean
---@return string
function cluster:fits_place(job) end

---servers for the job: the node of the lowest level that can hold it, then the tightest child, else the fullest one whole and the rest in the tightest; { node = servers } of the lowest level, and how many nodes those are; nil: there is no place
---@param job lightpath.Job
---@param options? lightpath.TreeOption
---@return integer[]|nil
---@return table
---@return integer
function cluster:tree_place(job, options) end

---why the job waits: { code, text, enough_at, across }: "shape" and the sentence of explain, when there will be enough, and across how many nodes it could lie now
---@param job lightpath.Job
---@return table|nil
function cluster:why(job) end

---free blocks of n servers in the order in which the engine tries them
---@param n integer
---@param options? lightpath.BlocksOption
---@return lightpath.Block[]
function cluster:blocks(n, options) end

---the same one by one, for block in cluster:each_block(n) do: those after the one at which the loop stops are not looked for; without a limit all
---@param n integer
---@param options? lightpath.BlocksOption
---@return fun(): lightpath.Block?
function cluster:each_block(n, options) end

---how many cluster:blocks would list, without making them
---@param n integer
---@param options? lightpath.BlocksOption
---@return integer
function cluster:count_blocks(n, options) end

---the best free block for a job, or of so many servers, by a score; of equals the first; nil: none is free
---@param job lightpath.Job|integer
---@param options? lightpath.BestOption
---@return lightpath.Block|nil
function cluster:best_block(job, options) end

---what would happen if this were answered now, the policy's hook phase included; place and the orders are those stated, else the engine's; nothing changes
---@param job lightpath.Job
---@param options lightpath.PredictOption
---@return lightpath.Forecast
function cluster:predict(job, options) end

---may this server take a job now?
---@param id integer
---@return boolean
function cluster:is_free(id) end

---what an action of review would cost; nil when it would be refused
---@param action lightpath.Action
---@return lightpath.Cost|nil
---@return string?
---@return string?
function cluster:cost(action) end

---a read-only cluster as if these actions had been taken; nil when one would be refused
---@param actions lightpath.Action[]
---@return lightpath.Cluster|nil
---@return string?
---@return string?
function cluster:after(actions) end

---places for the job's slice in a pod, in the order in which the engine tries them; found one by one as the list is read. Switched whole cubes: those of the pod's order, then of the other one (lowest, spread) where they differ
---@param job lightpath.Job
---@param options? lightpath.SlicesOption
---@return lightpath.Slice[]
function cluster:slices(job, options) end

---a cube of a pod as it is now; from 0
---@param number integer
---@return lightpath.Cube
function cluster:cube(number) end

---the way from server a to server b; on zones as it was measured, not as it is
---@param a integer
---@param b integer
---@return lightpath.Link
function cluster:link(a, b) end

---sites, leaves or edge switches, communication groups: servers that lie near each other; lists: false leaves out the lists of servers, which on many servers cost the most
---@param lists? boolean
---@return lightpath.Zone[]
function cluster:zones(lists) end

---the k-th of the free servers, ascending, or of those of a zone by its place in cluster:zones(); nil: there are fewer. A few microseconds on any number of servers
---@param k integer
---@param zone? integer
---@return integer|nil
function cluster:free_server(k, zone) end

---ports of the circuit switches and what they are joined to; nil where there are none
---@return lightpath.Optics|nil
function cluster:optics() end

---@class lightpath.Job
---@field id integer arrival number, from 0
---@field key string|number|nil the user's own id of it; nil: none
---@field name string|nil what its user calls it; nil: nothing
---@field user string|nil who started it; nil: not said
---@field group string|nil whom its user belongs to; nil: not said
---@field graph string|nil name of its computation graph; nil for a rigid job
---@field kind string partition kind: "model", "data" or "tensor"
---@field state string "deciding", "waiting", "preempted" or "running"; in an event also "completed", "blocked" or "killed"
---@field arrival number time of arrival, seconds
---@field waited number seconds in the queue so far, all its waits together
---@field deadline number absolute time at which it must be done; math.huge when there is none
---@field steps number training steps
---@field sequential_jct number seconds that the unsplit job takes on one server
---@field max_jct number limit in seconds from arrival; math.huge when there is none
---@field max_jct_fraction number|nil the limit as a fraction of sequential_jct; nil: none
---@field hint any|nil the scenario's hint for this job, read-only
---@field ops lightpath.Op[]|nil forward operations; job.ops[i] is op number i; nil for a rigid job
---@field deps lightpath.Dep[]|nil dependencies between forward operations; nil for a rigid job
---@field parts lightpath.Part[]|nil parts after the split and where they run, in order_ops and order_flows; nil elsewhere
---@field rigid integer|nil servers that a rigid job asks for; nil for others
---@field required string|nil level of which one node is to hold all its servers; nil: none
---@field preferred string|nil level from which upwards its place is sought; nil: none
---@field segment integer|nil its servers come in groups of this size, each in one lowest node; nil: singly
---@field duration number|nil seconds that a rigid job runs; where its user requested a time, that: the policy does not see how long it really runs, here nor in finish, remaining, steps_done, sequential_jct, forecasts and cluster:free_at, unless the scenario says reveal; nil for others
---@field requested number|nil seconds that its user asked for; nil: not said
---@field slice string|nil slice that it asks for, "4x4x8 twisted"; nil: none
---@field degree integer|nil degree answered: in place and the orders, and while it runs
---@field servers integer[] servers that it holds now
---@field start number|nil time of its first start; nil before
---@field finish number|nil time at which it will be done; nil before it starts
---@field remaining number|nil seconds of running left: until finish; when preempted, of its steps at the last degree; nil before it starts
---@field attained number server-seconds of training that it has had
---@field steps_done number training steps finished; of a rigid job the share of its duration
---@field preemptions integer times it was preempted
local job = {}

---what a network of that encoding sees of a job that has not started; for network:scores
---@param name string
---@return userdata
function job:observe(name) end

---@class lightpath.Op
---@field number integer 1 to #job.ops
---@field name string description in the profile
---@field forward number seconds of the forward pass, unsplit
---@field backward number seconds of the backward pass, unsplit
---@field activation number bytes of its output
---@field parameters number bytes of its parameters

---@class lightpath.Dep
---@field from integer op number of the producer
---@field to integer op number of the consumer
---@field bytes number bytes of the tensor

---@class lightpath.Part
---@field op integer number of its op, see job.ops
---@field backward boolean of the backward pass
---@field part integer 1 to the ways of the op
---@field server integer where it runs
---@field time number seconds that it runs there

---@class lightpath.Flow
---@field from integer op number of the producer
---@field to integer op number of the consumer
---@field backward boolean into a part of the backward pass
---@field source integer server that sends
---@field target integer server that receives
---@field bytes number in one training step
---@field transfers integer pairs of parts between which they move

---@class lightpath.Forecast
---@field feasible boolean a placement exists; the deadline is not judged here
---@field cause string|nil stable code of what stands in the way, also "deadline"
---@field why string|nil the same as a sentence
---@field jct number|nil seconds from now until it would be done; nil when not feasible
---@field finish number|nil absolute time at which it would be done
---@field step_time number|nil seconds of one training step
---@field compute number|nil seconds in which some operation runs, all steps
---@field communication number|nil seconds in which some data moves, all steps
---@field exposed number|nil seconds in which data moves and no operation runs, all steps
---@field degree integer degree asked for
---@field partition_degree integer|nil largest split that would really be made: servers of its block; known without a placement
---@field ops integer|nil parts after the split
---@field deps integer|nil dependencies after the split
---@field servers integer[] servers that it would hold, in block order
---@field shape string|nil shape of the block, "2x2x1"
---@field circuits integer|nil ordered pairs of servers between which data would move
---@field parts lightpath.Part[]|nil what an order_ops of the same prediction is for
---@field flows lightpath.Flow[]|nil what an order_flows of the same prediction is for

---@class lightpath.Block
---@field servers integer[] in block order
---@field shape string groups x racks x servers, "2x2x1"
---@field largest_left integer servers of the largest block left free if this one is taken
---@field left_in_racks integer servers that stay free in the racks that it touches
---@field left_in_groups integer servers that stay free in the groups that it touches
---@field groups integer communication groups that it touches
---@field racks integer racks that it touches
---@field fragments integer pieces that stay free in the racks that it touches: runs of servers of consecutive ids

---@class lightpath.Slice
---@field shape string "4x4x8 twisted"
---@field twisted boolean its circuits are wired so
---@field cubes integer[] by ordinal; of a part the one that it lies in
---@field servers integer[] in slice order
---@field origin integer[]|nil of its box in the grid of cubes (static wiring), or in its cube (a part); nil: no box
---@field orientation integer[]|nil extents of that box along the axes
---@field domains integer failure domains that its cubes lie in
---@field most_in_domain integer cubes in the one that has most of them
---@field cross_connects integer circuits that are set when it starts
---@field all_to_all number|nil seconds for 1 MB from each accelerator to each other one in this shape; nil: more than 1 024 accelerators without rings
---@field all_reduce number|nil seconds for an all-reduce of 1 GB; nil likewise
---@field left integer usable cubes that stay if it is taken, those kept back included
---@field largest_left integer cubes of the largest slice that then still fits
---@field left_in_cube integer|nil accelerators that stay free in a part's cube

---@class lightpath.Cube
---@field number integer from 0
---@field state string the first that holds: "off" (all of it is down), "broken" (some is), "dark" (a cable of it, or a switch, is dead), "settling", "restoring", "held" (its job stands still), "slow" (its slice has lost light), "running" (one slice holds it), "part" (parts of it are held), "kept" (a spare), "free"
---@field job lightpath.Job|nil whose slice of whole cubes holds it
---@field usable boolean a slice of whole cubes may take it now
---@field free integer accelerators that work and that nobody holds
---@field up integer accelerators that work
---@field hosts integer hosts in it
---@field hosts_up integer hosts of which all accelerators work
---@field domain integer failure domain, from 0
---@field faults integer failures so far that took accelerators of it down

---@class lightpath.PredictOption
---@field degree? integer as partition may answer
---@field plan? lightpath.Plan instead of degree, of a job whose graph has plans
---@field ways? table<integer, integer> instead of degree
---@field kind? string "model", "data" or "tensor"; default: as answered, else the job's
---@field servers? integer[] default: in the orders as answered by place, else the first block that fits
---@field order_ops? string|number[] as the hook may answer; default: srpt
---@field order_flows? string|number[] as the hook may answer; default: srpt

---@class lightpath.BlocksOption
---@field shape? string only this shape, "2x2x1"
---@field skip? integer leave out the first so many; default 0
---@field limit? integer at most so many blocks; default 32

---@class lightpath.SlicesOption
---@field shapes? boolean then places of other shapes of as many accelerators, too; default false

---@class lightpath.TreeOption
---@field pick? string of nodes with room enough "tight" (default), the one with the least, "loose", the one with the most, or the "first" one

---@class lightpath.BestOption
---@field score? string "first_fit" (default), "best_fit" (fewest left_in_racks), "worst_fit" (most), "fewest_groups" (of these the fewest racks) or "least_fragmenting" (most largest_left)
---@field tie? string a second score for blocks that are equal by the first; default "first_fit": the first of them
---@field degree? integer of the job, as partition may answer; in place: as answered
---@field shape? string only this shape, "2x2x1"
---@field limit? integer look at so many blocks; default 256, least_fragmenting 32

---@class lightpath.Event
---@field kind string what happened: "start", "wait", "block", "completion", "expiry" (a waiting job can no longer meet its deadline), "preempt", "move" (migrated or resized), "wake", "configure" (circuits are being set), "lit" (they carry light), "interval" (of configure), "condition" (something broke, was mended or was changed by hand), "failure" and "repair" (by itself), "resume", "hold" and "abort" (what a stopped job does), "kill" (it had its servers as long as was requested)
---@field job lightpath.Job|nil whom it happened to; nil for "wake" and for a condition that stopped nobody
---@field time number when, seconds

---@class lightpath.Failure
---@field kind string|nil of the component that broke: "server", "host", "switch" ...; nil: by hand
---@field index integer|nil its number among those of its kind
---@field number integer|nil how often it had broken before; on a line of a trace that line
---@field name string the component in words, such as "host 19 (cube 1)"
---@field cubes integer[]|nil cubes that the job has, in slice order; nil without slices
---@field servers integer[] servers of the job that are broken now
---@field stops boolean it stopped the job; false: its slice lost light and goes on more slowly, which nil and "degraded" leave so
---@field links integer|nil circuits of its slice that are dead now, all together; nil where slices do not go on without (fault_tolerant of the pod)
---@field slowdown number|nil greatest load of a link under uniform traffic over that with nothing dead: 1.17 is 17 % longer; nil where what is left falls apart, and as links
---@field saved number seconds of work that the job has kept
---@field lost number seconds of work that failures have taken from it so far, this one too

---@class lightpath.Phase
---@field number integer of the turn, from 1, as their data are ready without delays
---@field kind string what goes through the circuit: "act" or "grad" (activations and their gradients, to the next stage and back), "bucket", "flush", "gather" or "scatter" (of replicas), "dispatch" or "combine" (of experts)
---@field stage integer whose replicas it joins, or which it joins with the next one, from 1; in a region the layer
---@field ring boolean it joins the replicas of a stage, not two stages
---@field item integer micro-batch, or part of the last backward pass, from 1
---@field ready number when its data are ready, seconds from the beginning of the step
---@field start number when they go
---@field waits boolean they wait for light
---@field exposed boolean its turn is on the longest path of the step

---@class lightpath.Light
---@field form string "rails" or "region"
---@field delay number seconds from an order until bits pass
---@field orders string the usual ones: "on-demand" or "provisioned"
---@field turns integer of a step
---@field step_time number of a step under the usual orders, seconds

---@alias lightpath.ActionName
---| "preempt" # a running job leaves its servers and waits for resume; finished steps are kept
---| "resume" # a job that was preempted, or waits, is decided anew, now
---| "migrate" # a running job moves to these servers, in block order
---| "resize" # a running job goes on with another degree, on the first block that fits
---| "regroup" # joins servers to other aggregators, or port to port, both ways; on ocs only
---| "wake" # review is asked again at that time

---@class lightpath.Action
---@field [1] lightpath.ActionName
---@field job? lightpath.Job|integer a job, or its id
---@field servers? integer[] as many as the job has
---@field degree? integer as partition may answer
---@field links? table servers and aggregators by id, ports counted from 1
---@field at? number absolute time, after now

---shows the candidates that were weighed beside the decision; the last call counts
---@param options lightpath.Explain
function explain(options) end

---what name.lua returns: a file beside the policy, in its lib/, or in scripts/lib or scripts of the program; at the top of the file only
---@param name string
---@return any
function require(name) end

---@class lightpath.Explain
---@field columns string[] at most 16
---@field rows any[][] at most 64; a cell is a number, text, boolean or nil
---@field chosen integer|nil the row that was chosen, from 1 on

---@class lightpath.Optics
---@field ports integer ports of all circuit switches, counted from 1
---@field servers integer as cluster.servers
---@field aggregators integer packet switches; their ids are 0 to aggregators - 1
---@field delay number seconds from an order to light
---@field interval number seconds between calls of configure; 0: none but on change
---@field rate number bytes per second of the narrowest port of a server
---@field lit_at number when all that was ordered is lit
---@field port table what is plugged in
---@field match table what each port's input is joined to
---@field joined table servers that are joined to an aggregator

---@class lightpath.Cost
---@field seconds number until the job's steps go on, once it has servers
---@field bytes number of its checkpoint that go over the network
---@field pauses boolean the job makes no progress meanwhile

---@class lightpath.Link
---@field delay number seconds that the first byte takes
---@field loss number fraction of packets that is lost; 0 but on zones
---@field throughput number bytes per second of one transfer while nobody is in its way
---@field measured_at number time that these figures are of: now, but on zones

---@class lightpath.Zone
---@field name string as the scenario calls it; "zone 3" where it has no name
---@field size integer servers that it has
---@field free_count integer those that may take a job now
---@field servers? integer[] all its servers, ascending; not with lists = false
---@field free? integer[] those that may take a job now; not with lists = false

---@class lightpath.Plan
---@field tensor? integer ways to split each layer; default 1
---@field pipeline? integer stages; default 1
---@field data? integer replicas; default 1
---@field expert? integer ways of the experts, among the replicas; default 1
---@field chunks? integer of the model on each stage; default 1
---@field micro_batch? integer samples of a micro-batch; default 1
---@field batch? integer samples of a step; as the graph has it, the default
---@field recompute? string "none" (default), "selective" or "full"
---@field sequence? boolean sequence parallelism; default false
---@field wait? boolean stages wait until what they send has arrived; default true
---@field overlap? boolean gradients and weights travel beside passes; default false
---@field zero? integer what replicas share out: 0 nothing (default), 1 the optimiser's state, 2 and gradients, 3 and parameters
---@field context? integer ways to split the tokens of a sample; default 1
---@field attention? string "unfused" (default), "fused" or "causal"
---@field servers? integer tensor x context x pipeline x data
---@field step_time? number seconds, alone on servers that lie together; cluster:predict says it of a block
---@field memory? number bytes that a server of the fullest stage holds
---@field bubble? number share of the stages' time that is no work, 0 to 1
---@field free? boolean is a block for it free now?

---@class lightpath.Network
---@field encoding string what it sees of a job: the name for job:observe
---@field actions integer how many answers it scores
local network = {}

---a score per action, the highest is its answer; -math.huge where an action is closed now, or mask[i] is false
---@param observation userdata
---@param mask? boolean[]
---@return number[]
function network:scores(observation, mask) end

---how much better than usual it expects things to go from here on, on the scale that it was trained on
---@param observation userdata
---@return number
function network:value(observation) end

---what action i stands for: a degree, with a job that is split by plans one of its plans, 0 declines, "wait" lets the job wait; and the rule by which it is placed
---@param i integer
---@param job? lightpath.Job
---@return integer|lightpath.Plan|"wait"
---@return string
function network:action(i, job) end

---where the rule of action i places the job now; nil where the engine itself does, or no block is free
---@param observation userdata
---@param i integer
---@return integer[]|nil
function network:servers(observation, i) end

---of a network that lets jobs wait: the open action with the highest score whose forecast ends before the true deadline, which waiting does not move; and with waiting the third result of partition where published rules overlook servers that have just been given back
---@param observation userdata
---@return integer
---@return table?
function network:choose(observation) end

---likewise: how much a job matters that waits, runs or is due; the greater, the sooner
---@param job lightpath.Job
---@return number
function network:priority(job) end

---likewise: ids of running jobs of less priority that are to stop for this waiting one; empty: nobody
---@param job lightpath.Job
---@return integer[]
function network:give_way(job) end

match = {}

---the matching of rows to columns with the greatest sum of weights; only weights above 0 count. With places W is a list of entries, the rest of a square matrix is 0; then the sum is returned, too, and what it costs goes with the steps that it takes, not with n^3
---@param W number[][]
---@param places? { n: integer, row: integer[], column: integer[] }
---@return (integer|false)[]
---@return number
function match.max_weight(W, places) end

---the entries of a square matrix that are not 0, row by row, and where they stand
---@param W number[][]
---@return number[]
---@return { n: integer, row: integer[], column: integer[] }
function match.entries(W) end

---a column for every row of a square matrix, with the least sum of costs
---@param C number[][]
---@return integer[]
function match.assignment(C) end

---a demand with equal sums of rows and columns as a sum of weighted permutations; places: as for max_weight
---@param D number[][]
---@param places? { n: integer, row: integer[], column: integer[] }
---@return { weight: number, match: integer[] }[]
---@return number
function match.bvn(D, places) end

---sum of the weights that a matching takes
---@param W number[][]
---@param m (integer|false)[]
---@return number
function match.value(W, m) end

graph = {}

---nodes so that every edge leads forward, and how many edges lead to each at most; nil for a cycle
---@param n integer
---@param edges number[][]
---@return integer[]
---@return integer[]|nil
---@return string?
function graph.topological(n, edges) end

---the greatest flow, and what each edge carries of it
---@param n integer
---@param edges number[][]
---@param source integer
---@param target integer
---@return number
---@return number[]
function graph.max_flow(n, edges, source, target) end

---distance of every node, math.huge where no path leads, and the last edge of its path
---@param n integer
---@param edges number[][]
---@param source integer
---@return number[]
---@return (integer|false)[]
function graph.shortest(n, edges, source) end
