import { inspectConfig, loadConfig } from '../../server/config/config.ts'
import { readSources, type SettingsOptions } from '../../server/config/sources.ts'
import { formatCount } from '../../server/core/format-count.ts'
import type { Diagnosis } from '../doctor/diagnosis.ts'
import { runChecks } from '../doctor/run-checks.ts'
import { checkSettings } from '../doctor/settings.ts'

/**
 * `summit doctor`: checks the whole installation, changes nothing, and says what is wrong and what to do. The exit code
 * is 1 if there is a problem.
 */
export async function doctor(environment: NodeJS.ProcessEnv, options: SettingsOptions): Promise<void> {
  const counts = { ok: 0, warning: 0, problem: 0 }
  const print = (name: string, diagnoses: Diagnosis[]) => {
    for (const { level, text } of diagnoses) {
      counts[level]++
      console.log(`${level.padEnd(7)}  ${name.padEnd(8)}  ${text}`)
    }
  }
  const settings = inspectConfig(readSources(environment, options))
  print('settings', checkSettings(settings))
  if (settings.invalid.size > 0) console.log('\nThe rest was not checked, because settings are invalid.')
  else {
    const loaded = loadConfig(environment, options)
    Object.assign(environment, loaded.forLibraries)
    for await (const { name, diagnoses } of runChecks(loaded)) print(name, diagnoses)
  }
  if (counts.problem + counts.warning === 0) console.log('\nNo problems found.')
  else console.log(`\n${formatCount(counts.problem, 'problem')}, ${formatCount(counts.warning, 'warning')}.`)
  if (counts.problem > 0) process.exitCode = 1
}
