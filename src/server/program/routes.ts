import { join } from 'node:path'
import type { program } from '../../contract/program.ts'
import type { Context } from '../context.ts'
import type { Handlers } from '../operation.ts'
import { pictureReader } from './pictures.ts'
import { getEvent, listEvents } from './program.ts'

/** Pictures are resized when they come in: so many bytes hold those of a hundred events and more. */
const mostPictureBytes = 32 * 1024 * 1024

export function programRoutes({ blobs, config }: Context): Handlers<keyof typeof program> {
  const keptBytes = Math.min(mostPictureBytes, config.pageCacheBytes)
  const readPicture = pictureReader(blobs, join(config.dataDir, 'placeholders'), keptBytes)
  return {
    listEvents: (page, scope) => listEvents(scope, page),
    getEvent: ({ id }, scope) => getEvent(scope, id),
    readBanner: ({ id }, scope) => readPicture(scope, id, 'banner'),
    readPhoto: ({ id }, scope) => readPicture(scope, id, 'photo'),
  }
}
