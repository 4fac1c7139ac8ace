import { createCommandLine } from './command-line/command-line.ts'

/**
 * Runs `summit …`. If it fails, prints the reason and sets the exit code.
 * @param environment see {@link createCommandLine}
 */
export async function runCommandLine(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  // Data and exports are readable by this user only.
  process.umask(0o077)

  try {
    await createCommandLine(environment).parseAsync(args, { from: 'user' })
  } catch (error) {
    const { explain } = await import('../server/lifecycle/start/explain.ts')
    console.error(explain(error))
    process.exitCode = 1
  }
}
