import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../src/server/core/errors.ts'

/** A small file system in memory that can be filled up. Only root can mount it. */
export class SmallDisk {
  readonly dir = mkdtempSync(join(tmpdir(), 'summit-small-disk-'))
  readonly #filler = join(this.dir, 'filler')

  constructor() {
    const { status, stderr } = spawnSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', this.dir])
    if (status === 0) return
    rmdirSync(this.dir)
    throw new Error(`mount: ${stderr}`)
  }

  fillUp(): void {
    const file = openSync(this.#filler, 'a')
    try {
      for (const size of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(size))
    } finally {
      closeSync(file)
    }
  }

  freeSpace(): void {
    rmSync(this.#filler)
  }

  [Symbol.dispose](): void {
    // Lazily, as a server that is being killed may have an open file.
    spawnSync('/usr/bin/umount', ['--lazy', this.dir])
    rmdirSync(this.dir)
  }
}

/** More than fill the file system. */
const maxWrites = 10_000

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (let writes = 0; writes < maxWrites; writes++) writeSync(file, bytes)
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error
  }
}

/** Why no small disk is available, or undefined. */
export const noSmallDisk = ((): string | undefined => {
  if (process.getuid?.() !== 0) return 'only root can mount a small file system'
  try {
    new SmallDisk()[Symbol.dispose]()
    return undefined
  } catch (error) {
    return String(error)
  }
})()
