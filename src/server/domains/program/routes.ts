import { join } from 'node:path'
import type { program } from '../../../contract/program.ts'
import type { schedule } from '../../../contract/schedule.ts'
import type { Context } from '../../context.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { Handlers } from '../../operation.ts'
import { createPictureReader } from './pictures.ts'
import { getEvent, listEvents } from './program.ts'
import { getSchedule, getScheduleEvent } from './schedule.ts'
import { createProgramSearch } from './search.ts'

export function programRoutes(
  { blobs, config, database, drawer }: Context,
  freshness: Freshness,
): Handlers<keyof typeof program | keyof typeof schedule> {
  const placeholderDir = join(config.dataDir, 'placeholders')
  const pictures = createPictureReader({
    blobs,
    placeholderDir,
    drawer,
    maxBytes: config.pageCacheBytes,
    freshness,
  })
  return {
    listEvents: { read: listEvents, dependsOn: () => ['program'] },
    getEvent: { read: (scope, { id }) => getEvent(scope, id), dependsOn: () => ['program'] },
    readBanner: (scope, { id }) => pictures.readOfEvent(scope, id, 'banner'),
    readPhoto: (scope, { id }) => pictures.readOfEvent(scope, id, 'photo'),
    getSchedule: { read: (scope, { texts = false }) => getSchedule(scope, texts), dependsOn: () => ['program'] },
    getScheduleEvent: { read: (scope, { id }) => getScheduleEvent(scope, id), dependsOn: () => ['program'] },
    searchProgram: createProgramSearch({
      database,
      freshness,
      dependencies: ['program'],
      isStored: config.pageCacheBytes > 0,
    }),
    readLogo: (scope, { file_name }) => pictures.readLogo(scope, file_name),
    readSpeakerPhoto: (scope, { id }) => pictures.readOfSpeaker(scope, id),
  }
}
