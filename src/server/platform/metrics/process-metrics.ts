import { collectDefaultMetrics, Registry } from 'prom-client'

/**
 * Creates the registry of this process, with its processor time, memory and event loop. Call it once per process, as
 * its collectors are never stopped.
 */
export function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}
