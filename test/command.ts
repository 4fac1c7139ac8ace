import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { vi } from 'vitest'

const [requireNode, main] = ['../scripts/require-node.mjs', '../src/cli/main.ts'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
) as [string, string]

/** The lines that name the summit a command works on, before all others on standard error. */
const aboutSummit = /^(?:Summit: |WARNING: The server on port ).*\n/gm

/** What became of a command; `code` is null for one that was killed. */
export class Typed {
  readonly code: number | null
  readonly out: string
  /** Without {@link about}. */
  readonly err: string
  readonly #about: string

  constructor(code: number | null, out: string, err: string) {
    this.code = code
    this.out = out
    this.err = err.replace(aboutSummit, '')
    this.#about = (err.match(aboutSummit) ?? []).join('')
  }

  /** What it says of the summit that it works on; not compared by `toEqual`, as it is the same for all commands. */
  get about(): string {
    return this.#about
  }
}

/**
 * Types `summit …` as an operator does.
 * @param settings its environment, and nothing else
 * @param watch gets the process while it runs
 */
export function summit(
  args: string[],
  settings: Record<string, string> = {},
  watch: (child: ChildProcess) => void = () => {},
): Promise<Typed> {
  const child = spawn(process.execPath, ['--import', requireNode, '--', main, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
  watch(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(new Typed(code, out.join(''), err.join(''))))
  })
}

let typedHere = 0

/**
 * What {@link summit} says and does, at a tenth of its cost: in this process, one at a time. How a process begins and
 * ends, and what commander itself answers, is seen by `summit` only.
 */
export async function summitHere(args: string[], settings: Record<string, string> = {}): Promise<Typed> {
  const { argv, env, exitCode } = process
  const mask = process.umask()
  const listeners = process.stdout.listeners('error')
  const [out, err]: [string[], string[]] = [[], []]
  const spies = [
    vi.spyOn(console, 'log').mockImplementation((line) => void out.push(`${line}\n`)),
    vi.spyOn(console, 'error').mockImplementation((line) => void err.push(`${line}\n`)),
    vi.spyOn(process.stdout, 'write').mockImplementation((text: unknown, done: unknown) => {
      out.push(String(text))
      if (done instanceof Function) done()
      return true
    }),
  ]
  try {
    process.argv = [process.execPath, 'summit', ...args]
    process.env = { PATH: env.PATH, ...settings }
    process.exitCode = 0
    // The query makes it another module each time, which runs anew.
    await import(/* @vite-ignore */ `${pathToFileURL(main)}?${++typedHere}`)
    return new Typed(Number(process.exitCode), out.join(''), err.join(''))
  } finally {
    Object.assign(process, { argv, env, exitCode })
    process.umask(mask)
    process.stdout.removeAllListeners('error')
    for (const listener of listeners) process.stdout.on('error', listener as (error: Error) => void)
    for (const spy of spies) spy.mockRestore()
  }
}
