import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { turnSocket } from './turn-socket.ts'

test('everything written in one turn is sent at its end, in order, also when the socket ends', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = turnSocket()
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[peer]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')])
  const received: string[] = []
  peer.setEncoding('utf8').on('data', (text: string) => received.push(text))

  for (const text of ['one ', 'two ', 'three ']) socket.write(text)
  expect(socket.writableLength).toBe('one two three '.length)
  await once(peer, 'data')
  expect(socket.writableLength).toBe(0)

  socket.write('four ')
  socket.end('five')
  await once(peer, 'end')
  expect(received.join('')).toBe('one two three four five')
  server.close()
})
