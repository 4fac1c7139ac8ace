import type { Server } from '../server.ts'
import type { Request } from '../workload.ts'
import type { Operation } from './operation.ts'

/** Environment variables of a server. */
export type Settings = Record<string, string>

/** Another product that could provide this back end. */
export interface Peer {
  name: string
  /** Settings with which Summit uses the same database engine. */
  summitSettings: Settings
  /** Settings that make the product cache its responses in memory; empty if it cannot. */
  cacheSettings: Settings
  /** The product's request for an operation of the workload. */
  toRequest(operation: Operation): Request
  /**
   * Starts a new instance with the data set.
   * @param workFolder its folder, which must not exist yet
   * @throws Error if the product is not installed
   */
  start(workFolder: string, settings: Settings): Promise<Server>
}
