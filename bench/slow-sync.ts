import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Compiles slow-sync.c. @returns environment variables that make every sync of a server slower */
export function buildSlowSync(folder: string): Record<string, string> {
  const library = join(folder, 'slow-sync.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, join(import.meta.dirname, 'slow-sync.c'), '-ldl'])
  return { LD_PRELOAD: library }
}
