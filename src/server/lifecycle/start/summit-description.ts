import { resolve } from 'node:path'
import type { LoadedConfig } from '../../config/config.ts'
import { formatCount } from '../../core/format-count.ts'
import { countTopics } from '../../domains/newsfeed/topics.ts'
import { countParticipants } from '../../domains/participants/participants.ts'
import { countEvents } from '../../domains/program/events.ts'
import type { Db } from '../../storage/db/tables.ts'
import { type DatabaseTarget, hidePassword } from '../../storage/db/target.ts'

/** Where the summit is, and which setting says so: `/srv/summit/data (DATA_DIR by default)`. */
export function describeLocation({ config: { database }, effective }: LoadedConfig): string {
  const name = database.kind === 'folder' ? 'DATA_DIR' : 'DATABASE_URL'
  const source = effective.find((setting) => setting.name === name)?.source ?? 'default'
  return `${describeTarget(database)} (${name} ${origins[source] ?? `from ${source}`})`
}

/** The path of the folder, or the URL of the database without its password. */
export const describeTarget = (target: DatabaseTarget): string =>
  target.kind === 'folder' ? resolve(target.dir) : hidePassword(target.url)

const origins: Readonly<Record<string, string>> = { default: 'by default', environment: 'from the environment' }

/** The content of the summit: `31 sessions, 12 participants, 24 topics`. */
export async function describeContent(read: Db): Promise<string> {
  const counts = [
    formatCount(await countEvents(read), 'session'),
    formatCount(await countParticipants(read), 'participant'),
    formatCount(await countTopics(read), 'topic'),
  ].join(', ')
  return (await beganWithSample(read)) ? `${counts}; it began with the sample data` : counts
}

const beganWithSample = async (read: Db): Promise<boolean> => {
  const first = read.selectFrom('change').select(['kind', 'request_id']).orderBy('id').limit(1)
  const { kind, request_id } = (await first.executeTakeFirst()) ?? {}
  return kind === 'summit.created' && request_id === 'sample'
}
