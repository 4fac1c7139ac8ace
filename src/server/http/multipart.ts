import type { IncomingMessage } from 'node:http'
import type { Limits } from '../../contract/limits.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { discardAll, type FilePart } from '../files/uploads.ts'
import type { Body } from './body.ts'
import type { Hold } from './body-memory.ts'
import { parseFields } from './form.ts'
import { parseMultipart } from './multipart-parser.ts'
import { freeingSpentChunks } from './spent-chunks.ts'

/**
 * Reads `multipart/form-data`. Files go to disk as they arrive and are never held in memory whole.
 * @throws what {@link parseMultipart} and {@link BlobStore.stage} throw; no file stays behind then
 */
export async function readMultipart(
  request: IncomingMessage,
  blobs: BlobStore,
  limits: Limits,
  signal: AbortSignal,
  hold: Hold,
): Promise<Body> {
  const fields: [string, Buffer][] = []
  const arriving: Promise<FilePart>[] = []
  try {
    await parseMultipart(request, limits, signal, hold, {
      field: (name, value) => void fields.push([name, value]),
      file: (stream, name, declaredType) => {
        const staging = blobs.stage(freeingSpentChunks(stream), limits.fileBytes)
        const part = staging.then((staged): FilePart => ({ name, declaredType, staged }))
        arriving.push(part)
        return part
      },
    })
    const parts = await Promise.all(arriving)
    await discardAll(parts.filter(isEmptyInput))
    return { members: parseFields(fields), parts: parts.filter((part) => !isEmptyInput(part)) }
  } catch (error) {
    // Whatever listens to the request still knows them.
    fields.length = 0
    const settled = await Promise.allSettled(arriving)
    await discardAll(settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : [])))
    throw error
  }
}

/** What a browser sends for a file input in which nothing was chosen (HTML, "constructing the entry list"). */
const isEmptyInput = ({ name, staged }: FilePart): boolean => name === '' && staged.size === 0
