import { connect } from 'node:net'

/** Sends requests as they are over a connection of their own. @returns all that comes back */
export async function exchange({ url }: { url: string }, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8')
  socket.write(text)
  const asked = text.match(/[A-Z]+ \S+ HTTP\/1\.[01]\r\n/g)?.length
  let heard = ''
  for await (const chunk of socket) {
    heard += chunk
    // Node answers nobody who has closed already.
    if (heard.match(/HTTP\/1\.1 \d{3} /g)?.length === asked) socket.end()
  }
  return heard
}

/** What comes back, without what is of one answer alone. */
export const alike = (answer: string): string =>
  answer
    .replace(/Date: .*/g, '')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'request id')
    // A failure names its request.
    .replace(/"signature":"[0-9a-f]{40}"(?=.*"message":"(?!Success|Redirected))/g, '"signature":""')
