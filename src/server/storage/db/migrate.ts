import { type Migration, Migrator } from 'kysely/migration'
import { messageOf } from '../../core/errors.ts'
import { CannotOpen } from './cannot-open.ts'
import { describeEngineError } from './errors.ts'
import { up as initial } from './migrations/0001-initial.ts'
import { up as secret } from './migrations/0002-secret.ts'
import { up as topicBlocks } from './migrations/0003-topic-blocks.ts'
import { up as imports } from './migrations/0004-imports.ts'
import { up as credentials } from './migrations/0005-credentials.ts'
import { up as organizers } from './migrations/0006-organizers.ts'
import { up as sharing } from './migrations/0007-sharing.ts'
import { up as audit } from './migrations/0008-audit.ts'
import { up as identities } from './migrations/0009-identities.ts'
import { up as passkeys } from './migrations/0010-passkeys.ts'
import { up as codes } from './migrations/0011-codes.ts'
import { up as signInsFromDesk } from './migrations/0012-sign-ins-from-desk.ts'
import { up as erasures } from './migrations/0013-erasures.ts'
import { up as attemptCounts } from './migrations/0014-attempt-counts.ts'
import { up as namesOfIdentities } from './migrations/0015-names-of-identities.ts'
import { up as indexes } from './migrations/0016-indexes.ts'
import { up as program } from './migrations/0017-program.ts'
import { up as revisions } from './migrations/0018-revisions.ts'
import { up as stars } from './migrations/0019-stars.ts'
import type { Db } from './tables.ts'

/** Every migration, oldest first. Listed rather than discovered, so that only reviewed code runs. */
const migrations: Record<string, Migration> = {
  '0001-initial': { up: initial },
  '0002-secret': { up: secret },
  '0003-topic-blocks': { up: topicBlocks },
  '0004-imports': { up: imports },
  '0005-credentials': { up: credentials },
  '0006-organizers': { up: organizers },
  '0007-sharing': { up: sharing },
  '0008-audit': { up: audit },
  '0009-identities': { up: identities },
  '0010-passkeys': { up: passkeys },
  '0011-codes': { up: codes },
  '0012-sign-ins-from-desk': { up: signInsFromDesk },
  '0013-erasures': { up: erasures },
  '0014-attempt-counts': { up: attemptCounts },
  '0015-names-of-identities': { up: namesOfIdentities },
  '0016-indexes': { up: indexes },
  '0017-program': { up: program },
  '0018-revisions': { up: revisions },
  '0019-stars': { up: stars },
}

export const migrationNames = Object.keys(migrations)

/** The database was written by a newer Summit. */
export class NewerSchema extends CannotOpen {
  override readonly name = 'NewerSchema'

  constructor(unknown: string[]) {
    super(
      `This database was written by a newer Summit (it has the migration ${unknown.join(', ')}). ` +
        'Start that version, or restore the backup taken before the upgrade.',
    )
  }
}

/** The database was written by an older Summit. */
export class OlderSchema extends CannotOpen {
  override readonly name = 'OlderSchema'

  constructor() {
    super('This database was written by an older Summit. Start this version once to migrate it.')
  }
}

/** A migration failed. All that were to run with it were rolled back. */
export class MigrationFailed extends CannotOpen {
  override readonly name = 'MigrationFailed'

  constructor(cause: unknown) {
    const reason = messageOf(cause)
    const advice = describeEngineError(cause) ?? `Start the version that wrote it, and report this: ${reason}`
    super(`The database could not be migrated to this version, and was left as it was. ${advice}`, { cause })
  }
}

/**
 * Creates the schema in an empty database. When several processes start at the same time, one creates it, under Kysely's
 * lock, and the others wait for it.
 * @throws OlderSchema, NewerSchema when the database has another one
 */
export async function createSchema(db: Db): Promise<void> {
  const applied = await readKnownMigrations(db)
  if (applied.length === 0) await migrateToLatest(db)
  else assertComplete(applied)
}

/**
 * Migrates the schema to this version. All pending migrations run in one transaction, so that an interrupted or failed
 * one leaves no trace.
 * @throws NewerSchema when the database has migrations that this version does not know; MigrationFailed
 */
export async function migrate(db: Db): Promise<void> {
  // The migrator itself writes (its tables, its lock).
  if ((await findPendingMigrations(db)).length === 0) return
  try {
    await migrateToLatest(db)
  } catch (error) {
    throw new MigrationFailed(error)
  }
}

async function migrateToLatest(db: Db): Promise<void> {
  const { error } = await createMigrator(db).migrateToLatest()
  if (error) throw error
}

const createMigrator = (db: Db): Migrator => new Migrator({ db, provider: { getMigrations: async () => migrations } })

/**
 * Creates the tables of another database's schema, which may be older than this version's.
 * @param names the migrations applied to that database
 */
export async function migrateTo(db: Db, names: readonly string[]): Promise<void> {
  const last = names.toSorted().at(-1)
  if (last === undefined) return
  const { error } = await createMigrator(db).migrateTo(last)
  if (error) throw error
}

/**
 * Checks the schema of a database that is only read.
 * @throws OlderSchema, NewerSchema
 */
export const assertSchema = async (db: Db): Promise<void> => assertComplete(await readKnownMigrations(db))

function assertComplete(applied: readonly string[]): void {
  if (applied.length < Object.keys(migrations).length) throw new OlderSchema()
}

/** The migrations that are missing from the database, oldest first. @throws NewerSchema */
export async function findPendingMigrations(db: Db): Promise<string[]> {
  const applied = await readKnownMigrations(db)
  return Object.keys(migrations).filter((name) => !applied.includes(name))
}

/** The migrations among `names` that this version does not have. */
export const unknownMigrations = (names: readonly string[]): string[] => names.filter((name) => !(name in migrations))

/** The migrations applied to the database. @throws NewerSchema */
export async function readKnownMigrations(db: Db): Promise<string[]> {
  const applied = await readAppliedMigrations(db)
  const unknown = unknownMigrations(applied)
  if (unknown.length > 0) throw new NewerSchema(unknown)
  return applied
}

async function readAppliedMigrations(db: Db): Promise<string[]> {
  try {
    return await selectMigrationNames(db)
  } catch {
    // Only now, because introspecting all tables takes longer than most starts.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (!tables.some((table) => table.name === 'kysely_migration')) return []
    // Another process that is starting may have created it between the two queries. Any other error occurs again.
    return await selectMigrationNames(db)
  }
}

async function selectMigrationNames(db: Db): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return rows.map((row) => row.name)
}

/** Whether a database with these migrations has the table of secrets and marks. */
export const hasSecrets = (applied: readonly string[]): boolean => applied.includes('0002-secret')

/** Whether the changes of a database with these migrations have hashes. */
export const hasHashes = (applied: readonly string[]): boolean => applied.includes('0008-audit')
