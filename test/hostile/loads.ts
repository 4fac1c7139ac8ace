/** A load that a stranger puts on a server: requests whose bytes are sent slowly enough to last. */
export interface Load {
  /** Clients that send at once; one whose connection ends comes back. */
  clients: number
  /** Of all of them together. */
  bytesPerSecond: number
  /** One request, from its head to as much of its body as there is. */
  request: Buffer
  /** In ms, for `/healthz`, where it is to be more than for the others. */
  mostWaitMs?: number
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
const modest = 1_000_000

export const loads: Record<string, Load> = {
  'a file in chunks of one byte': {
    clients: 20,
    bytesPerSecond: modest,
    request: inChunksOfOneByte(form, `${topic}${file('x'.repeat(900_000))}--b--\r\n`),
  },
  'JSON in chunks of one byte': {
    clients: 20,
    bytesPerSecond: modest,
    request: inChunksOfOneByte('application/json', JSON.stringify({ name: 'Lunch', x: 'x'.repeat(900_000) })),
  },
  'a file in chunks of one byte, as fast as it is taken': {
    clients: 40,
    bytesPerSecond: 50_000_000,
    // All that a machine can receive: what counts is the memory.
    mostWaitMs: 10_000,
    request: inChunksOfOneByte(form, `${topic}${file('x'.repeat(900_000))}--b--\r\n`),
  },
  'forms of 1,005 parts': { clients: 100, bytesPerSecond: 2_000_000, request: formOfParts(1_005) },
}
