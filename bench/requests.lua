-- A script for wrk that sends the requests of the file REQUESTS in a loop and prints statistics as JSON.
-- Each line of the file has a method, a path and a body, separated by tabs.
-- Every connection waits ACCEPT_MS before its first request. Node accepts one connection per turn of its event loop, so
-- without the wait the latency of the first requests would include that of accepting all connections.
local formatted, position, started = {}, 0, 0
local connections, accept_ms = tonumber(os.getenv("CONNECTIONS")), tonumber(os.getenv("ACCEPT_MS"))
local file = assert(os.getenv("REQUESTS"))

function init()
  local body_headers = { ["Content-Type"] = "application/json" }
  for name, value in pairs(wrk.headers) do body_headers[name] = value end
  for line in io.lines(file) do
    local method, path, body = line:match("^([^\t]*)\t([^\t]*)\t(.*)$")
    if body == "" then
      formatted[#formatted + 1] = wrk.format(method, path)
    else
      formatted[#formatted + 1] = wrk.format(method, path, body_headers, body)
    end
  end
end

function request()
  position = position % #formatted + 1
  return formatted[position]
end

function delay()
  started = started + 1
  return started <= connections and accept_ms or 0
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
