import { get } from 'node:http'
import { argv } from 'node:process'

// Usage: probe-health.ts <port> <seconds>
// Prints the longest response time of `/healthz` in milliseconds. This is a process of its own, so that only the server
// delays it. Each request has a connection of its own, so that all workers get some.

const [port = '', seconds = ''] = argv.slice(2)
const intervalMs = 20
let longestMs = 0
let failed = 0
const waiting = new Set<number>()

function probe(): void {
  const began = performance.now()
  waiting.add(began)
  const settle = () => {
    waiting.delete(began)
    longestMs = Math.max(longestMs, performance.now() - began)
  }
  const fail = () => {
    failed++
    settle()
  }
  get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (response) =>
    response.resume().on('end', settle),
  ).on('error', fail)
}

const timer = setInterval(probe, intervalMs)
setTimeout(() => {
  clearInterval(timer)
  for (const began of waiting) longestMs = Math.max(longestMs, performance.now() - began)
  console.log(JSON.stringify({ longestMs: Math.round(longestMs), failed }))
  process.exit()
}, Number(seconds) * 1_000)
