import type { FastifyReply, FastifyRequest } from 'fastify'
import { privateNoStore } from '../../core/cache-control.ts'
import { varyByAccept } from '../../core/envelope.ts'
import type { Download } from '../../operation.ts'
import type { DamagedBlob } from '../../storage/blobs/damaged-blob.ts'
import { type HeaderList, sendRaw } from './respond.ts'
import { attachmentDisposition, sendStream } from './send-bytes.ts'

/**
 * Sends a file of unknown size about one person. If it cannot be completed, the connection is closed, so that a client
 * does not take the beginning for the whole.
 * @param onDamaged called for stored bytes that are missing in it
 */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  { fileType, attachment, open }: Download,
  onDamaged: (damaged: DamagedBlob) => void,
): FastifyReply | undefined {
  const headers: HeaderList = [
    ...['content-type', fileType],
    ...['content-disposition', attachmentDisposition(attachment)],
    ...reply.server.browserPolicy.bytes,
    ...['cache-control', privateNoStore],
    ...['vary', varyByAccept],
  ]
  if (request.method === 'HEAD') return void sendRaw(reply, 200, headers)
  return sendStream(reply, 200, headers, open(onDamaged))
}
