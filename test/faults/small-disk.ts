import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../src/server/core/error-code.ts'

/** A small file system of its own, in memory, which can be filled up. Only root can have one. */
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

  giveSpace(): void {
    rmSync(this.#filler)
  }

  [Symbol.dispose](): void {
    // Lazily: a server that is being killed may still hold a file.
    spawnSync('/usr/bin/umount', ['--lazy', this.dir])
    rmdirSync(this.dir)
  }
}

/** The file system is far smaller than so many writes. */
const maxWrites = 10_000

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (let writes = 0; writes < maxWrites; writes++) writeSync(file, bytes)
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error
  }
}

/** Why there can be no small disk here, or undefined. */
export const noSmallDisk = ((): string | undefined => {
  if (process.getuid?.() !== 0) return 'a file system that is really full takes root to mount it'
  try {
    new SmallDisk()[Symbol.dispose]()
    return undefined
  } catch (error) {
    return String(error)
  }
})()
