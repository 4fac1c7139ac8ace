import type { Registry } from 'prom-client'

/** The metrics of one process. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** A message from a worker to the main process. */
export type FromWorker =
  /** The worker accepts requests at this URL. */
  | { kind: 'listening'; address: string }
  | { kind: 'aggregate requested'; id: number }
  /** The worker's own metrics, in response to the request with this id. */
  | { kind: 'metrics'; id: number; metrics: Metrics }
  | DamageFound

/** A message from the main process to a worker. */
export type ToWorker =
  /** Finish the requests in progress and exit. */
  | { kind: 'stop' }
  | { kind: 'metrics requested'; id: number }
  /** The metrics of all processes in Prometheus' text format, in response to the request with this id. */
  | { kind: 'aggregate'; id: number; text: string }
  | DamageFound

/** The database is damaged. Whichever worker finds it, all of them stop being ready. */
export interface DamageFound {
  kind: 'damage found'
  message: string
}

/** A sync to disk failed in a worker: no process may acknowledge further writes (EX_IOERR, sysexits(3)). */
export const diskFailed = 74
