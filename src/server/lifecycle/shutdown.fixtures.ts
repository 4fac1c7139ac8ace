import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

const listTopics = 'GET /api/newsfeeds/topics/0/10 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

/** Sends a request on a connection of its own. @returns everything received until the connection ends */
export function request(address: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write(listTopics)
  return text(socket)
}
