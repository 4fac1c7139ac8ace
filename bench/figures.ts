import { setTimeout as sleep } from 'node:timers/promises'
import { load } from './client.ts'
import type { Server } from './server.ts'
import type { Request } from './workload.ts'

/** What one side of a comparison took. */
export interface Figures {
  /** Requests a second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Microseconds of processor time for each request. */
  cpu: number
  /** Peak memory of the process, in bytes. */
  memory: number
}

/** One side of a comparison. */
export interface Side {
  server: Server
  requests: Request[]
}

export interface Load {
  rounds: number
  /** How long each side of a round takes. */
  seconds: number
  connections: number
  /** The least seconds for which each gets warm: its code is compiled, its pages are kept. */
  warmUp?: number
}

/** The figures of both sides in one round. */
export interface Round {
  ours: Figures
  other: Figures
}

/** Measures two servers in turns, so that both see the same machine; each goes first in every other round. */
export async function inTurns(
  ours: Side,
  other: Side,
  { rounds, seconds, connections, warmUp = 6 }: Load,
): Promise<Round[]> {
  for (const side of [other, ours])
    await figures(side, connections, Math.max(warmUp, Math.ceil(side.requests.length / 1_000)))
  const ofOurs = () => figures(ours, connections, seconds)
  const ofOther = () => figures(other, connections, seconds)
  const all: Round[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) all.push({ other: await ofOther(), ours: await ofOurs() })
    else all.push({ ours: await ofOurs(), other: await ofOther() })
  }
  return all
}

async function figures({ server, requests }: Side, connections: number, seconds: number): Promise<Figures> {
  const before = server.cpuSeconds()
  const { requests: answered, rate, p50, p99 } = await load(server, requests, connections, seconds)
  const cpu = ((server.cpuSeconds() - before) * 1e6) / answered
  await quiet(server)
  return { rate, p50, p99, cpu, memory: server.peakMemory() }
}

/** Waits for a server that goes on with requests whose client has gone: the other side would have to share the core. */
async function quiet(server: Server): Promise<void> {
  for (let before = -1; server.cpuSeconds() - before > 0.02; await sleep(200)) before = server.cpuSeconds()
}

/** Of an even number of values it is the mean of the middle two. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

export const medians = (all: Figures[]): Figures => ({
  rate: median(all.map(({ rate }) => rate)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  cpu: median(all.map(({ cpu }) => cpu)),
  memory: Math.max(...all.map(({ memory }) => memory)),
})
