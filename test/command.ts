import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { runCommandLine } from '../src/cli/command-line/command-line.ts'

const [requireNode, main] = ['../scripts/require-node.mjs', '../src/cli/main.ts'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
) as [string, string]

/** The lines that name the summit on which a command works, before all others on standard error. */
const aboutSummit = /^(?:Summit: |WARNING: The server on port ).*\n/gm

/** A command looks for a server on its port; with port 0 it finds none of somebody else's. */
const baseEnvironment = { PORT: '0' }

/** The outcome of a command. */
export class CommandResult {
  /** Null if it was killed. */
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

  /** The lines about its summit; `toEqual` ignores them, as they are the same for all commands. */
  get about(): string {
    return this.#about
  }
}

/**
 * Runs `summit …` in a process of its own.
 * @param settings its environment variables; no others are inherited
 * @param watch called with the process when it has started
 */
export function runSummit(
  args: string[],
  settings: Record<string, string> = {},
  watch: (child: ChildProcess) => void = () => {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, ['--import', requireNode, '--', main, ...args], {
    env: { ...baseEnvironment, PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
  watch(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(new CommandResult(code, out.join(''), err.join(''))))
  })
}

let isRunning = false

/**
 * Runs `summit …` in this process, one at a time, at a tenth of the cost of {@link runSummit}. It does not cover the
 * start and exit of the process, nor messages of the commander package.
 */
export async function runSummitInProcess(
  args: string[],
  settings: Record<string, string> = {},
): Promise<CommandResult> {
  // Another one would leave its environment and umask behind.
  if (isRunning) throw new Error('a command is already running in this process')
  isRunning = true
  const { env, exitCode } = process
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
    process.env = { ...baseEnvironment, PATH: env.PATH, NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE, ...settings }
    process.exitCode = 0
    await runCommandLine(args, process.env)
    return new CommandResult(Number(process.exitCode), out.join(''), err.join(''))
  } finally {
    isRunning = false
    Object.assign(process, { env, exitCode })
    process.umask(mask)
    process.stdout.removeAllListeners('error')
    for (const listener of listeners) process.stdout.on('error', listener as (error: Error) => void)
    for (const spy of spies) spy.mockRestore()
  }
}
