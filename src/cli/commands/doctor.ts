import { inspectConfig, loadConfig } from '../../server/config/config.ts'
import { readSources, type SettingsOptions } from '../../server/config/sources.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { explain } from '../../server/lifecycle/start/explain.ts'
import { refuseForeignRoot } from '../../server/lifecycle/start/foreign-root.ts'
import { type Diagnosis, orOk, problem, warning } from '../doctor/diagnosis.ts'
import { runChecks } from '../doctor/run-checks.ts'

type Print = (name: string, diagnoses: Diagnosis[]) => void

/**
 * `summit doctor`: checks the whole installation, changes nothing, and says what is wrong and what to do. The exit code
 * is 1 if there is a problem.
 */
export async function doctor(environment: NodeJS.ProcessEnv, options: SettingsOptions): Promise<void> {
  const counts = { ok: 0, warning: 0, problem: 0 }
  const print: Print = (name, diagnoses) => {
    for (const { level, text } of diagnoses) {
      counts[level]++
      console.log(`${level.padEnd(7)}  ${name.padEnd(8)}  ${text}`)
    }
  }
  const settings = inspectConfig(readSources(environment, options))
  print('settings', checkSettings(settings))
  if (settings.invalid.size > 0) console.log('\nThe rest was not checked, because settings are invalid.')
  else await checkSummit(environment, options, print)
  if (counts.problem + counts.warning === 0) console.log('\nNo problems found.')
  else console.log(`\n${formatCount(counts.problem, 'problem')}, ${formatCount(counts.warning, 'warning')}.`)
  if (counts.problem > 0) process.exitCode = 1
}

/** Whether every setting is valid and has an effect. */
function checkSettings({ effective, invalid, ignored }: ReturnType<typeof inspectConfig>): Diagnosis[] {
  const given = effective.filter(({ source }) => source !== 'default').map(({ name }) => name)
  return orOk(
    [...[...invalid.values()].map(problem), ...ignored.map(warning)],
    given.length === 0 ? 'none is set; all have their defaults' : `${given.join(', ')}`,
  )
}

async function checkSummit(environment: NodeJS.ProcessEnv, options: SettingsOptions, print: Print): Promise<void> {
  const loaded = loadConfig(environment, options)
  try {
    await refuseForeignRoot(loaded.config, options, ['doctor'])
  } catch (error) {
    print('folder', [problem(explain(error))])
    return console.log('\nThe rest was not checked, because root cannot do that for another user.')
  }
  Object.assign(environment, loaded.forLibraries)
  for await (const { name, diagnoses } of runChecks(loaded)) print(name, diagnoses)
}
