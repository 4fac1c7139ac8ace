import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from './server.ts'
import type { Request } from './workload.ts'
import { runLoad } from './wrk.ts'

/** The speed and the resource usage of one server under load. */
export interface Measurement {
  /** Requests per second. */
  rate: number
  /** Latency in milliseconds. */
  p50: number
  p99: number
  /** Processor time per request, in microseconds. */
  cpu: number
  /** Peak memory of the process, in bytes. */
  memory: number
}

/** One side of a comparison. */
export interface Side {
  server: Server
  requests: Request[]
}

export interface LoadOptions {
  rounds: number
  /** Seconds that each side is measured for in a round. */
  seconds: number
  connections: number
  /** Minimum seconds of load before the first round, in which code is compiled and caches fill. */
  warmUp?: number
}

/** One round: a measurement of either side. */
export interface Round {
  /** Summit, as in this checkout. */
  candidate: Measurement
  /** Another implementation: a floor, another product or another checkout. */
  reference: Measurement
}

/**
 * Measures two servers alternately, so that changes of the machine's speed affect both. The side that goes first
 * changes with every round.
 */
export async function measureAlternately(
  candidate: Side,
  reference: Side,
  { rounds, seconds, connections, warmUp = 6 }: LoadOptions,
): Promise<Round[]> {
  for (const side of [reference, candidate])
    await measure(side, connections, Math.max(warmUp, Math.ceil(side.requests.length / 1_000)))
  const measureCandidate = () => measure(candidate, connections, seconds)
  const measureReference = () => measure(reference, connections, seconds)
  const all: Round[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) all.push({ reference: await measureReference(), candidate: await measureCandidate() })
    else all.push({ candidate: await measureCandidate(), reference: await measureReference() })
  }
  return all
}

async function measure({ server, requests }: Side, connections: number, seconds: number): Promise<Measurement> {
  const before = server.cpuSeconds()
  const { requests: completed, rate, p50, p99 } = await runLoad(server, requests, connections, seconds)
  const cpu = ((server.cpuSeconds() - before) * 1e6) / completed
  await waitUntilIdle(server)
  return { rate, p50, p99, cpu, memory: server.peakMemory() }
}

/** A server may still process requests of closed connections, and would share its core with the other side. */
async function waitUntilIdle(server: Server): Promise<void> {
  for (let before = -1; server.cpuSeconds() - before > 0.02; await sleep(200)) before = server.cpuSeconds()
}

/** For an even number of values, the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

/** The median of each figure, and the maximum of the memory. */
export const medianMeasurement = (all: Measurement[]): Measurement => ({
  rate: median(all.map(({ rate }) => rate)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  cpu: median(all.map(({ cpu }) => cpu)),
  memory: Math.max(...all.map(({ memory }) => memory)),
})
