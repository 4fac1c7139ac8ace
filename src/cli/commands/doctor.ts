import { type Config, inspectConfig, loadConfig } from '../../server/config/config.ts'
import { readSources, type SettingsOptions } from '../../server/config/sources.ts'
import { formatCount } from '../../server/core/format-count.ts'
import { inDataDir, makeDataDir } from '../../server/data-dir/data-dir.ts'
import { isInitialized } from '../../server/db/initialized.ts'
import { openInspection } from '../../server/db/inspect.ts'
import type { Inspection } from '../../server/db/inspection.ts'
import { assertSchema } from '../../server/db/migrate.ts'
import { explain } from '../../server/lifecycle/explain.ts'
import { checkBackups } from '../doctor/backups.ts'
import { checkClock } from '../doctor/clock.ts'
import { checkDatabase } from '../doctor/database.ts'
import { type Check, type Diagnosis, type Patient, problem } from '../doctor/diagnosis.ts'
import { checkDisk } from '../doctor/disk.ts'
import { checkFiles } from '../doctor/files.ts'
import { checkFolder } from '../doctor/folder.ts'
import { checkImages } from '../doctor/images.ts'
import { checkKeys } from '../doctor/keys.ts'
import { checkMail } from '../doctor/mail.ts'
import { checkOidc } from '../doctor/oidc.ts'
import { checkProxy } from '../doctor/proxy.ts'
import { requestPublicUrl } from '../doctor/public-response.ts'
import { checkServer } from '../doctor/server.ts'
import { checkSettings } from '../doctor/settings.ts'

const checks: Record<string, Check> = {
  folder: checkFolder,
  disk: checkDisk,
  database: checkDatabase,
  files: checkFiles,
  keys: checkKeys,
  backups: checkBackups,
  clock: checkClock,
  proxy: checkProxy,
  server: checkServer,
  mail: checkMail,
  oidc: checkOidc,
  images: checkImages,
}

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
  else await runChecks(environment, options, print)
  if (counts.problem + counts.warning === 0) console.log('\nNothing is wrong.')
  else console.log(`\n${formatCount(counts.problem, 'problem')}, ${formatCount(counts.warning, 'warning')}.`)
  if (counts.problem > 0) process.exitCode = 1
}

async function runChecks(
  environment: NodeJS.ProcessEnv,
  options: SettingsOptions,
  print: (name: string, diagnoses: Diagnosis[]) => void,
): Promise<void> {
  const loaded = loadConfig(environment, options)
  Object.assign(environment, loaded.forLibraries)
  const { config } = loaded
  const database = await openReadable(config).catch(() => undefined)
  const publicResponse = config.publicUrl === undefined ? undefined : requestPublicUrl(config.publicUrl)
  // The checks that need it report its failure.
  publicResponse?.catch(() => {})
  const patient: Patient = { loaded, database, publicResponse }
  try {
    for (const [name, check] of Object.entries(checks))
      print(name, await check(patient).catch((error: unknown) => [problem(explain(error))]))
  } finally {
    await database?.close()
  }
}

/** @returns undefined if there is no summit @throws Error if this version cannot read it */
async function openReadable({ dataDir, database: target }: Config): Promise<Inspection | undefined> {
  return inDataDir(dataDir, async () => {
    if (!(await isInitialized(target))) return undefined
    // The folder exists; this call refuses root, whose files the folder's owner could not use.
    if (target.kind === 'folder') await makeDataDir(dataDir)
    const inspection = await openInspection(target)
    try {
      await assertSchema(inspection.read)
      return inspection
    } catch (error) {
      await inspection.close()
      throw error
    }
  })
}
