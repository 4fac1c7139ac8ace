import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestApp } from '../app.ts'
import { expectUnfinishedBodiesRefused, json, requestLine, textPart } from './unfinished-bodies.ts'

test('JSON bodies that are never finished do not fill the memory, and small ones are accepted', () =>
  expectUnfinishedBodiesRefused(json))

test('forms that are never finished do not fill the memory, and small bodies are accepted', () =>
  expectUnfinishedBodiesRefused(textPart))

test('form fields with long names and no values do not fill the memory either', async () => {
  await using t = await startTestApp()
  const name = 'x'.repeat(16_000)
  const parts = `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n\r\n`.repeat(990)
  using sockets = new DisposableStack()
  const responses: string[] = []
  for (let nth = 0; nth < 10; nth++) {
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1').on('error', () => {})
    sockets.defer(() => socket.destroy())
    socket.setEncoding('utf8').on('data', (chunk: string) => void responses.push(chunk))
    socket.write(`${requestLine}Content-Type: ${textPart.type}\r\nContent-Length: 20000000\r\n\r\n`)
    await new Promise((resolve) => socket.write(parts, resolve))
  }
  await expect.poll(() => responses.join('')).toContain('"response_code":5030')
})
