import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

/**
 * Adds a gauge of the free bytes on the file system of `dir`, read at each scrape; it has no value while that cannot be
 * read, for example because the folder is missing.
 */
export function measureFreeSpace(registry: Registry, dir: string): void {
  new Gauge({
    name: 'summit_data_free_bytes',
    help: 'Free bytes on the file system of DATA_DIR.',
    registers: [registry],
    // All workers share one disk.
    aggregator: 'min',
    async collect() {
      const stats = await statfs(dir).catch(() => undefined)
      // `bavail` excludes blocks that are reserved for root.
      if (stats) this.set(stats.bavail * stats.bsize)
      else this.remove()
    },
  })
}
