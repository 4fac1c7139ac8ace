import { connect } from 'node:net'
import { argv } from 'node:process'
import { loads } from './loads.ts'

// Usage: send-load.ts <port> <name of a load> <seconds>
// Prints `true` once a client is connected, and after these seconds, the number of responses by `response_code`, and of
// errors. This is a process of its own, so that sending does not delay the test.

const [port = '', name = '', seconds = ''] = argv.slice(2)
const load = loads[name]
if (!load) throw new Error(`There is no load "${name}".`)
const { clients, bytesPerSecond, request } = load
const ms = Number(seconds) * 1_000
let until = Number.POSITIVE_INFINITY
const received: Record<string, number> = {}
const count = (outcome: string) => {
  received[outcome] = (received[outcome] ?? 0) + 1
}
const tickMs = 20
const bytesPerTick = Math.ceil((bytesPerSecond * tickMs) / 1_000 / clients)

/** The time starts with the first connection, as processes may start slowly. */
function begin(): void {
  if (until !== Number.POSITIVE_INFINITY) return
  until = performance.now() + ms
  console.log(true)
  setTimeout(() => {
    console.log(JSON.stringify(received))
    process.exit()
  }, ms + 500)
}

/** Repeats the request on one connection, and reconnects when it ends. */
function run(): void {
  const socket = connect(Number(port), '127.0.0.1', begin).setNoDelay()
  let at = 0
  let response = ''
  const tick = setInterval(() => {
    if (performance.now() >= until) return void socket.destroy()
    if (socket.writableNeedDrain || !socket.writable) return
    socket.write(request.subarray(at, at + bytesPerTick))
    at = at + bytesPerTick >= request.length ? 0 : at + bytesPerTick
  }, tickMs)
  socket.setEncoding('latin1').on('data', (text: string) => {
    response = (response + text).slice(-4_000)
    for (const [, code = ''] of response.matchAll(/"response_code":(\d+)/g)) count(code)
    response = response.slice(Math.max(0, response.lastIndexOf('"response_code"') + 20))
  })
  socket.on('error', (error) => count('code' in error ? String(error.code) : error.message))
  socket.on('close', () => {
    clearInterval(tick)
    if (performance.now() < until) setTimeout(run, tickMs)
  })
}

for (let nth = 0; nth < clients; nth++) run()
