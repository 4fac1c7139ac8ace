import { get } from 'node:http'
import { argv } from 'node:process'

// A process of its own, so that nothing but the server makes it wait.
// Usage: probe-health.ts <port> <seconds>; prints the longest wait for `/healthz`, in milliseconds, on connections of
// their own: with several workers, any of them may get one.

const [port = '', seconds = ''] = argv.slice(2)
const everyMs = 20
let longestMs = 0
let failed = 0
const waiting = new Set<number>()

function ask(): void {
  const began = performance.now()
  waiting.add(began)
  const settle = () => {
    waiting.delete(began)
    longestMs = Math.max(longestMs, performance.now() - began)
  }
  const failing = () => {
    failed++
    settle()
  }
  get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (response) =>
    response.resume().on('end', settle),
  ).on('error', failing)
}

const asking = setInterval(ask, everyMs)
setTimeout(() => {
  clearInterval(asking)
  for (const began of waiting) longestMs = Math.max(longestMs, performance.now() - began)
  console.log(JSON.stringify({ longestMs: Math.round(longestMs), failed }))
  process.exit()
}, Number(seconds) * 1_000)
