import type { SentFile } from './write.ts'

const boundary = 'summit-faults'

/** The bytes of a multipart request, for clients that send only a part of them. */
export function multipartRequest(path: string, members: Record<string, string>, files: Omit<SentFile, 'sha256'>[]) {
  const part = (disposition: string, content: Buffer | string, type = '') => [
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`,
    content,
    '\r\n',
  ]
  const body = Buffer.concat(
    [
      ...Object.entries(members).flatMap(([name, value]) => part(`name="${name}"`, value)),
      ...files.flatMap(({ name, bytes }) =>
        part(`name="uploaded_files[]"; filename="${name}"`, bytes, 'Content-Type: application/octet-stream\r\n'),
      ),
      `--${boundary}--\r\n`,
    ].map((piece) => Buffer.from(piece)),
  )
  const head =
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`
  return { head, body }
}
