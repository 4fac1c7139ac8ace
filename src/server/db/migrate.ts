import { type Migration, Migrator } from 'kysely/migration'
import { CannotOpen } from './cannot-open.ts'
import * as initial from './migrations/0001-initial.ts'
import * as secret from './migrations/0002-secret.ts'
import * as topicBlocks from './migrations/0003-topic-blocks.ts'
import type { Db } from './tables.ts'

/** Every migration, oldest first. Listed rather than found, so that what runs is what is reviewed. */
const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-secret': secret,
  '0003-topic-blocks': topicBlocks,
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
 * Brings the schema to this version. Each migration runs in a transaction: one that is cut off leaves no trace. Of
 * several programs that start together one migrates, under Kysely's lock, and the others find it done.
 * @throws NewerSchema when the database knows migrations that this program does not
 */
export async function migrate(db: Db): Promise<void> {
  const applied = await knownMigrations(db)
  // The migrator itself writes (its tables, its lock), which a start that has nothing to do need not wait for.
  if (applied.length === Object.keys(migrations).length) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/**
 * For who only reads.
 * @throws CannotOpen when the schema is not that of this version, NewerSchema when it is that of a newer one
 */
export async function assertSchema(db: Db): Promise<void> {
  const applied = await knownMigrations(db)
  if (applied.length < Object.keys(migrations).length)
    throw new CannotOpen('This database was written by an older Summit. Start this version once, which migrates it.')
}

/** The migrations that the database has. @throws NewerSchema */
async function knownMigrations(db: Db): Promise<string[]> {
  const applied = await appliedMigrations(db)
  const unknown = applied.filter((name) => !(name in migrations))
  if (unknown.length > 0) throw new NewerSchema(unknown)
  return applied
}

async function appliedMigrations(db: Db): Promise<string[]> {
  try {
    return await history(db)
  } catch {
    // Asked only now, as looking through all tables takes longer than most starts.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (!tables.some((table) => table.name === 'kysely_migration')) return []
    // Another program that starts may have made it between the two questions; whatever else it was shows again.
    return await history(db)
  }
}

async function history(db: Db): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return rows.map((row) => row.name)
}
