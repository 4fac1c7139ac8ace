import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = ['../scripts/require-node.mjs', '../src/cli/main.ts'].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
)

/** What became of a command; `code` is null for one that was killed. */
export interface Typed {
  code: number | null
  out: string
  err: string
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
  const child = spawn(process.execPath, ['--import', ...program, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [string[], string[]] = [[], []]
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text))
  watch(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out: out.join(''), err: err.join('') }))
  })
}
