import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds what makes syncs slow, with the C compiler. @returns the environment under which a server has them */
export function slowSync(folder: string): Record<string, string> {
  const library = join(folder, 'slow-sync.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, join(import.meta.dirname, 'slow-sync.c'), '-ldl'])
  return { LD_PRELOAD: library }
}
