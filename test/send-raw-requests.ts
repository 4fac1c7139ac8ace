import { connect } from 'node:net'

/** Sends raw requests over one connection. @param encoding of the text @returns the raw responses */
export async function sendRawRequests(
  { url }: { url: string },
  text: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  socket.write(text, encoding)
  const expected = text.match(/[A-Z]+ \S+ HTTP\/1\.[01]\r\n/g)?.length
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    // Earlier, Node would not send the remaining responses.
    if (received.match(/HTTP\/1\.1 \d{3} /g)?.length === expected) socket.end()
  }
  return received
}

/** Replaces what differs between two identical responses: dates, request ids and signatures. */
export const normalizeResponse = (response: string): string =>
  response
    .replace(/Date: .*/g, '')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'request id')
    // A failure contains its request id, which changes its signature.
    .replace(/"signature":"[0-9a-f]{40}"(?=.*"message":"(?!Success|Redirected))/g, '"signature":""')
