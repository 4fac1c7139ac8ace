import { join } from 'node:path'
import type { program } from '../../../contract/program.ts'
import type { Context } from '../../context.ts'
import type { Freshness } from '../../log/changes/freshness.ts'
import type { Handlers } from '../../operation.ts'
import { createPictureReader } from './pictures.ts'
import { getEvent, listEvents } from './program.ts'

export function programRoutes(
  { blobs, config, drawer }: Context,
  freshness: Freshness,
): Handlers<keyof typeof program> {
  const placeholderDir = join(config.dataDir, 'placeholders')
  const readPicture = createPictureReader({
    blobs,
    placeholderDir,
    drawer,
    maxBytes: config.pageCacheBytes,
    freshness,
  })
  return {
    listEvents: { read: listEvents, dependsOn: () => ['program'] },
    getEvent: { read: (scope, { id }) => getEvent(scope, id), dependsOn: () => ['program'] },
    readBanner: (scope, { id }) => readPicture(scope, id, 'banner'),
    readPhoto: (scope, { id }) => readPicture(scope, id, 'photo'),
  }
}
