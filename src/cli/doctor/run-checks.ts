import type { Config, LoadedConfig } from '../../server/config/config.ts'
import { explain } from '../../server/lifecycle/start/explain.ts'
import { inDataDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { isInitialized } from '../../server/storage/db/initialized.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import type { Inspection } from '../../server/storage/db/inspection.ts'
import { assertSchema } from '../../server/storage/db/migrate.ts'
import { checkBackups } from './backups.ts'
import { type Check, type Diagnosis, type Patient, problem } from './diagnosis.ts'
import { checkAudit, checkKeys, checkPrivacy } from './keys-and-privacy.ts'
import { checkClock, checkImages } from './machine.ts'
import { checkProxy, requestPublicUrl } from './proxy.ts'
import { checkMail, checkOidc, checkServer } from './services.ts'
import { checkDatabase, checkDisk, checkFiles, checkFolder } from './storage.ts'

const checks = {
  folder: checkFolder,
  disk: checkDisk,
  database: checkDatabase,
  files: checkFiles,
  keys: checkKeys,
  audit: checkAudit,
  backups: checkBackups,
  clock: checkClock,
  privacy: checkPrivacy,
  proxy: checkProxy,
  server: checkServer,
  mail: checkMail,
  oidc: checkOidc,
  images: checkImages,
} satisfies Record<string, Check>

export type CheckName = keyof typeof checks

const all = Object.keys(checks) as CheckName[]

/** Runs checks one after the other, and yields the results of each. */
export async function* runChecks(
  loaded: LoadedConfig,
  names: readonly CheckName[] = all,
): AsyncGenerator<{ name: CheckName; diagnoses: Diagnosis[] }> {
  const { config } = loaded
  const database = await openReadable(config).catch(() => undefined)
  const publicResponse = config.publicUrl === undefined ? undefined : requestPublicUrl(config.publicUrl)
  // The checks that need it report its failure.
  publicResponse?.catch(() => {})
  const patient: Patient = { loaded, database, publicResponse }
  try {
    for (const name of names) {
      const diagnoses = await checks[name](patient).catch((error: unknown) => [problem(explain(error))])
      yield { name, diagnoses }
    }
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
