import { spawnSync } from 'node:child_process'

/** Runs a command and returns its standard output. Ends this process if the command fails. */
export function run(command: string, args: string[]): string {
  // On Windows npm is a script, which only a shell finds.
  const shell = process.platform === 'win32' && command === 'npm'
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const { status, error, stdout } = spawnSync(command, args, {
    stdio: [...stdio],
    shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (error) console.error(`${command} could not be started: ${error.message}`)
  if (status !== 0) process.exit(1)
  return stdout
}
