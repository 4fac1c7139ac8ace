import type { Config, LoadedConfig } from '../../server/config/config.ts'
import { explain } from '../../server/lifecycle/start/explain.ts'
import { inDataDir, makeDataDir } from '../../server/storage/data-dir/data-dir.ts'
import { isInitialized } from '../../server/storage/db/initialized.ts'
import { openInspection } from '../../server/storage/db/inspect.ts'
import type { Inspection } from '../../server/storage/db/inspection.ts'
import { assertSchema } from '../../server/storage/db/migrate.ts'
import { checkAudit } from './audit.ts'
import { checkBackups } from './backups.ts'
import { checkClock } from './clock.ts'
import { checkDatabase } from './database.ts'
import { type Check, type Diagnosis, type Patient, problem } from './diagnosis.ts'
import { checkDisk } from './disk.ts'
import { checkFiles } from './files.ts'
import { checkFolder } from './folder.ts'
import { checkImages } from './images.ts'
import { checkKeys } from './keys.ts'
import { checkMail } from './mail.ts'
import { checkOidc } from './oidc.ts'
import { checkPrivacy } from './privacy.ts'
import { checkProxy } from './proxy.ts'
import { requestPublicUrl } from './public-response.ts'
import { checkServer } from './server.ts'

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
