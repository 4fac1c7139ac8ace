import type { Server } from '../server.ts'
import type { Request } from '../workload.ts'
import type { Asked } from './asked.ts'

/** Settings of a server, as its environment has them. */
export type Settings = Record<string, string>

/** Another product that can have such a back end. */
export interface Peer {
  name: string
  /** What has Summit keep its tables on the same engine. */
  engine: Settings
  /** What has it keep its answers in memory, as Summit keeps pages; nothing where it cannot. */
  keeping: Settings
  /** What it is asked for instead of a request of the workload. */
  requestFor(asked: Asked): Request
  /**
   * Starts a new one with the data set.
   * @param work a folder for it, which is not there yet
   * @throws Error when it is not installed
   */
  start(work: string, settings: Settings): Promise<Server>
}
