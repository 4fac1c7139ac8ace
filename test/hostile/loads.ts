/** Requests that hostile clients repeat. */
export interface Load {
  /** Concurrent clients, which reconnect. */
  clients: number
  /** Of all clients together. */
  bytesPerSecond: number
  /** Head and body of a request. */
  request: Buffer
  /** The maximum response time of `/healthz`, if higher than for the other loads. */
  maxWaitMs?: number
}

const target = 'POST /api/newsfeeds/topics/create HTTP/1.1\r\nHost: 127.0.0.1\r\n'

const inChunksOfOneByte = (type: string, body: string): Buffer => {
  const head = `${target}Content-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
  return Buffer.from(`${head}${Array.from(body, (byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`, 'latin1')
}

const form = 'multipart/form-data; boundary=b'
const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (content: string) =>
  `--b\r\nContent-Disposition: form-data; name="uploaded_files"; filename="a.bin"\r\n\r\n${content}\r\n`
const topic = field('name', 'Lunch') + field('created_by', '1')

const formOfParts = (count: number): Buffer => {
  const body = `${topic}${Array.from({ length: count - 2 }, () => field('x', '')).join('')}--b--\r\n`
  return Buffer.from(`${target}Content-Type: ${form}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
}

/** 8 Mbit/s, which any client has. */
const lowRate = 1_000_000

export const loads: Record<string, Load> = {
  'a file in chunks of one byte': {
    clients: 20,
    bytesPerSecond: lowRate,
    request: inChunksOfOneByte(form, `${topic}${file('x'.repeat(900_000))}--b--\r\n`),
  },
  'JSON in chunks of one byte': {
    clients: 20,
    bytesPerSecond: lowRate,
    request: inChunksOfOneByte('application/json', JSON.stringify({ name: 'Lunch', x: 'x'.repeat(900_000) })),
  },
  'a file in chunks of one byte, as fast as possible': {
    clients: 40,
    bytesPerSecond: 50_000_000,
    // This load uses the whole machine, so only the memory matters.
    maxWaitMs: 10_000,
    request: inChunksOfOneByte(form, `${topic}${file('x'.repeat(900_000))}--b--\r\n`),
  },
  'forms of 1,005 parts': { clients: 100, bytesPerSecond: 2_000_000, request: formOfParts(1_005) },
}
