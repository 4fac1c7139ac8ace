-- For wrk: sends the requests of the file that REQUESTS names, round and round, and prints what came of them.
-- A line is: method, path and body, with tabs between.
-- Every connection waits for ACCEPTED milliseconds before its first request: Node accepts one in each turn of its loop, and
-- until it has them all, their wait would be measured rather than that of requests.
local built, at, begun = {}, 0, 0
local connections, accepted = tonumber(os.getenv("CONNECTIONS")), tonumber(os.getenv("ACCEPTED"))
local file = assert(os.getenv("REQUESTS"))

function init()
  local withBody = { ["Content-Type"] = "application/json" }
  for name, value in pairs(wrk.headers) do withBody[name] = value end
  for line in io.lines(file) do
    local method, path, body = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    if body == "" then
      built[#built + 1] = wrk.format(method, path)
    else
      built[#built + 1] = wrk.format(method, path, withBody, body)
    end
  end
end

function request()
  at = at % #built + 1
  return built[at]
end

function delay()
  begun = begun + 1
  return begun <= connections and accepted or 0
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
