import sharp from 'sharp'
import { messageOf } from '../../core/errors.ts'
import { drawPlaceholder, type PictureFormat } from './placeholder.ts'
import type { PlaceholderSubject } from './placeholder-version.ts'

// The process of a `PictureDrawer`, which kills it. If its parent is killed, it ends because it is disconnected.

export interface DrawRequest {
  id: number
  subject: PlaceholderSubject
  format: PictureFormat
}

/** The picture of the request of this id, or the reason why drawing failed. */
export type DrawnPicture = { id: number; bytes: Uint8Array } | { id: number; error: string }

// The server may have ended meanwhile; this process is about to end as well then.
const send = (picture: DrawnPicture): void => void process.send?.(picture, () => {})

sharp.cache(false)
process.on('message', ({ id, subject, format }: DrawRequest) => {
  drawPlaceholder(subject, format).then(
    (bytes) => send({ id, bytes }),
    (error) => send({ id, error: messageOf(error) }),
  )
})
process.on('disconnect', () => process.exit())
// A terminal and systemd signal all processes at once, but the server decides when this one exits.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
