import type { Registry } from 'prom-client'

/** The metrics of one process. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** What a worker says to the process that started it. */
export type FromWorker =
  /** It answers requests, at this URL. */
  | { kind: 'listening'; address: string }
  | { kind: 'metrics of all wanted'; id: number }
  /** Its own metrics, as was asked under this id. */
  | { kind: 'metrics'; id: number; metrics: Metrics }
  | DamageFound

/** What a worker is told. */
export type ToWorker =
  /** Answer the requests under way, and end. */
  | { kind: 'stop' }
  | { kind: 'metrics wanted'; id: number }
  /** In Prometheus' text format, as was asked under this id. */
  | { kind: 'metrics of all'; id: number; text: string }
  | DamageFound

/** The database is damaged: whichever worker found it, from then on none is ready. */
export interface DamageFound {
  kind: 'damage found'
  message: string
}
