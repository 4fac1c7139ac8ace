import { join } from 'node:path'
import type { program } from '../../contract/program.ts'
import type { Context } from '../context.ts'
import type { Handlers } from '../http/handlers.ts'
import { pictureReader } from './pictures.ts'
import { getEvent, listEvents } from './program.ts'

export function programRoutes({ blobs, config }: Context): Handlers<keyof typeof program> {
  const readPicture = pictureReader(blobs, join(config.dataDir, 'placeholders'))
  return {
    listEvents: (page, scope) => listEvents(scope, page),
    getEvent: ({ id }, scope) => getEvent(scope, id),
    readBanner: ({ id }, scope) => readPicture(scope, id, 'banner'),
    readPhoto: ({ id }, scope) => readPicture(scope, id, 'photo'),
  }
}
