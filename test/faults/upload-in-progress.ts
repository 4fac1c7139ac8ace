import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { waitUntil } from '../wait-until.ts'
import type { DataFolder } from './data-folder.ts'

/** A topic with a file, of which the server has received the beginning. */
export interface UploadInProgress extends Disposable {
  /** Sends the rest. @returns the `response_code` */
  finish(): Promise<number>
}

/**
 * @param folder of the server, which shows that the file has begun to arrive
 * @param sentHeaders besides those of the body
 */
export async function startUpload(
  url: string,
  folder: DataFolder,
  sentHeaders: Record<string, string> = {},
): Promise<UploadInProgress> {
  const form = new FormData()
  form.append('name', 'Slides')
  form.append('created_by', '1')
  form.append('uploaded_files', new File([Buffer.alloc(100_000, 'x')], 'slides.bin'))
  const encoded = new Request(`${url}/api/newsfeeds/topics/create`, { method: 'POST', body: form })
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = { ...sentHeaders, ...Object.fromEntries(encoded.headers), 'content-length': body.length }
  const upload = request(encoded.url, { method: 'POST', headers })
  const received = once(upload, 'response')
  received.catch(() => {})
  upload.write(body.subarray(0, body.length / 2))
  await waitUntil('the upload is in progress', async () => (await folder.stagedBlobs()).length > 0)
  return {
    finish: async () => {
      upload.end(body.subarray(body.length / 2))
      const [response] = (await received) as [IncomingMessage]
      const [{ response_code }] = (await json(response)) as [{ response_code: number }]
      return response_code
    },
    [Symbol.dispose]: () => upload.destroy(),
  }
}
