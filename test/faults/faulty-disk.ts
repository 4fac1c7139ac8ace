import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRelease } from './counts.ts'

const source = fileURLToPath(new URL('faulty-disk.c', import.meta.url))

const compiler = process.env.CC ?? 'gcc'

/** Why no faulty disk is available, or undefined. */
export const faultyDiskMissing =
  process.platform !== 'linux'
    ? 'faults are injected with LD_PRELOAD, which needs Linux'
    : spawnSync(compiler, ['--version']).error
      ? `faults are injected by a library that needs a compiler, and ${compiler} is missing`
      : undefined

if (isRelease && faultyDiskMissing) throw new Error(`A release cannot be tested here: ${faultyDiskMissing}`)

/** Offsets of the fields of `struct faults` in `faulty-disk.c`. */
const layout = {
  syncs: 0,
  limited: 8,
  space: 16,
  syncOf: 24,
  spaceOf: 88,
  steps: 152,
  stepsOf: 160,
  signal: 224,
  recorded: 232,
  end: 488,
}

/** Makes disk operations of a process fail, or records them, by a library that is loaded into it. */
export class FaultyDisk {
  /** Environment variables of the process. */
  readonly settings: Record<string, string>
  readonly #dir = mkdtempSync(join(tmpdir(), 'summit-faulty-disk-'))
  readonly #memory: number
  readonly #trace: string

  constructor() {
    const library = join(this.#dir, 'faulty-disk.so')
    execFileSync(compiler, ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'])
    const memory = join(this.#dir, 'faults')
    this.#trace = `${memory}.trace`
    this.#memory = openSync(memory, 'w+')
    writeSync(this.#memory, Buffer.alloc(layout.end))
    this.settings = { LD_PRELOAD: library, FAULTY_DISK: memory }
  }

  /** Makes the next sync of a file fail. @param path part of its path, or the end of its path followed by `$` */
  failNextSync(path: string): void {
    this.#write(layout.syncOf, text(path))
    this.#write(layout.syncs, number(1))
  }

  /** Whether that sync has failed. */
  hasFailedSync(): boolean {
    return this.#read(layout.syncs) <= 0
  }

  /** Limits the bytes of all files whose path contains `path`. Once they are used, no new file can be created. */
  leaveSpace(bytes: number, path: string): void {
    this.#write(layout.spaceOf, text(path))
    this.#write(layout.space, number(bytes))
    this.#write(layout.limited, number(1))
  }

  freeSpace(): void {
    this.#write(layout.limited, number(0))
  }

  /** Kills the process before the last of so many changes to files whose path contains `path`. */
  killAtStep(steps: number, path: string): void {
    this.#signalAtStep(steps, path, constants.signals.SIGKILL)
  }

  /** Stops the process there, until it gets SIGCONT. */
  stopAtStep(steps: number, path: string): void {
    this.#signalAtStep(steps, path, constants.signals.SIGSTOP)
  }

  /** The number of these changes that are left. */
  stepsLeft(): number {
    return this.#read(layout.steps)
  }

  /** Records all changes of a folder and below from now on. */
  record(folder: string): void {
    this.#write(layout.recorded, text(folder, 256))
  }

  /** The size of the record so far. */
  recordedBytes(): number {
    return statSync(this.#trace).size
  }

  /** The record, see `disk-trace.ts`. */
  readRecord(): Buffer {
    return readFileSync(this.#trace)
  }

  [Symbol.dispose](): void {
    closeSync(this.#memory)
    rmSync(this.#dir, { recursive: true, force: true })
  }

  #signalAtStep(steps: number, path: string, signal: number): void {
    this.#write(layout.signal, number(signal))
    this.#write(layout.stepsOf, text(path))
    this.#write(layout.steps, number(steps))
  }

  #read(at: number): number {
    const bytes = Buffer.alloc(8)
    readSync(this.#memory, bytes, 0, 8, at)
    return Number(bytes.readBigInt64LE())
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

function text(value: string, size = 64): Buffer {
  const bytes = Buffer.alloc(size)
  bytes.write(value, 0, size - 1)
  return bytes
}
