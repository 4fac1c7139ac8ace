import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('faulty-disk.c', import.meta.url))

const compiler = process.env.CC ?? 'gcc'

/** Why there can be no faulty disk here, or undefined. */
export const noFaultyDisk =
  process.platform !== 'linux'
    ? 'faults are injected by LD_PRELOAD, which is for Linux'
    : spawnSync(compiler, ['--version']).error
      ? `faults are injected by a library that is compiled, and there is no ${compiler}`
      : undefined

/** Where the fields of `struct faults` are; see `faulty-disk.c`. */
const layout = { syncs: 0, limited: 8, space: 16, syncOf: 24, spaceOf: 88, end: 152 }

/** Makes the disk of a server fail, through a library that is loaded into it. */
export class FaultyDisk {
  /** The environment of a server that is to run on it. */
  readonly settings: Record<string, string>
  readonly #dir = mkdtempSync(join(tmpdir(), 'summit-faulty-disk-'))
  readonly #memory: number

  constructor() {
    const library = join(this.#dir, 'faulty-disk.so')
    execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
    const memory = join(this.#dir, 'faults')
    this.#memory = openSync(memory, 'w+')
    writeSync(this.#memory, Buffer.alloc(layout.end))
    this.settings = { LD_PRELOAD: library, FAULTY_DISK: memory }
  }

  /** Lets the next sync of such a file fail. @param of part of its path, or the end of it with a `$` behind */
  failNextSync(of: string): void {
    this.#write(layout.syncOf, text(of))
    this.#write(layout.syncs, number(1))
  }

  /** Whether that sync has taken place. */
  hasFailedSync(): boolean {
    const count = Buffer.alloc(8)
    readSync(this.#memory, count, 0, 8, layout.syncs)
    return count.readBigInt64LE() <= 0
  }

  /** Leaves so many bytes for such files, and no file more once they are gone. */
  leaveSpace(bytes: number, of: string): void {
    this.#write(layout.spaceOf, text(of))
    this.#write(layout.space, number(bytes))
    this.#write(layout.limited, number(1))
  }

  giveSpace(): void {
    this.#write(layout.limited, number(0))
  }

  [Symbol.dispose](): void {
    closeSync(this.#memory)
    rmSync(this.#dir, { recursive: true, force: true })
  }

  #write(at: number, bytes: Buffer): void {
    writeSync(this.#memory, bytes, 0, bytes.length, at)
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(BigInt(value))
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write(value, 0, 63)
  return bytes
}
