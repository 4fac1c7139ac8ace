import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

/**
 * Adds the free bytes of the file system that `dir` is on, as they are when it is scraped; no value while nobody can
 * tell, as when the folder is gone.
 */
export function measureFreeSpace(registry: Registry, dir: string): void {
  new Gauge({
    name: 'summit_data_free_bytes',
    help: 'Bytes that can still be written to the file system of DATA_DIR.',
    registers: [registry],
    // It is the same disk for all workers, not one for each.
    aggregator: 'min',
    async collect() {
      const found = await statfs(dir).catch(() => undefined)
      // What is kept back for root is not ours to write to.
      if (found) this.set(found.bavail * found.bsize)
      else this.remove()
    },
  })
}
