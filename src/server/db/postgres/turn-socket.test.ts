import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { turnSocket } from './turn-socket.ts'

test('what is written in one turn waits for its end and arrives in its order, before an end as well', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = turnSocket()
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [[peer]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')])
  const heard: string[] = []
  peer.setEncoding('utf8').on('data', (text: string) => heard.push(text))

  for (const text of ['one ', 'two ', 'three ']) socket.write(text)
  expect(socket.writableLength).toBe('one two three '.length)
  await once(peer, 'data')
  expect(socket.writableLength).toBe(0)

  socket.write('four ')
  socket.end('five')
  await once(peer, 'end')
  expect(heard.join('')).toBe('one two three four five')
  server.close()
})
