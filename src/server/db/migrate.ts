import { type Migration, Migrator } from 'kysely/migration'
import { CannotOpen } from './cannot-open.ts'
import { up as initial } from './migrations/0001-initial.ts'
import { up as secret } from './migrations/0002-secret.ts'
import { up as topicBlocks } from './migrations/0003-topic-blocks.ts'
import { up as imports } from './migrations/0004-imports.ts'
import type { Db } from './tables.ts'

/** Every migration, oldest first. Listed rather than discovered, so that only reviewed code runs. */
const migrations: Record<string, Migration> = {
  '0001-initial': { up: initial },
  '0002-secret': { up: secret },
  '0003-topic-blocks': { up: topicBlocks },
  '0004-imports': { up: imports },
}

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

/**
 * Migrates the schema to this version. Each migration runs in a transaction, so an interrupted one leaves no trace.
 * When several processes start at the same time, one migrates, under Kysely's lock, and the others wait for it.
 * @throws NewerSchema when the database has migrations that this version does not know
 */
export async function migrate(db: Db): Promise<void> {
  const applied = await readKnownMigrations(db)
  // The migrator itself writes (its tables, its lock). A start with nothing to migrate need not wait for that.
  if (applied.length === Object.keys(migrations).length) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/**
 * Checks the schema of a database that is only read.
 * @throws CannotOpen when the schema is older than this version, NewerSchema when it is newer
 */
export async function assertSchema(db: Db): Promise<void> {
  const applied = await readKnownMigrations(db)
  if (applied.length < Object.keys(migrations).length)
    throw new CannotOpen('This database was written by an older Summit. Start this version once to migrate it.')
}

/** The migrations applied to the database. @throws NewerSchema */
async function readKnownMigrations(db: Db): Promise<string[]> {
  const applied = await readAppliedMigrations(db)
  const unknown = applied.filter((name) => !(name in migrations))
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
