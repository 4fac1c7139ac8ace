import { describe, expect, test } from 'vitest'
import { createTestStorage, startTestAppOn } from '../../../../test/app.ts'
import { startServer } from '../../../../test/faults/server-process.ts'
import * as make from '../../../../test/make.ts'
import { drawingProcesses, openDrawer, signal } from './drawing-processes.fixtures.ts'
import { DrawingInterrupted, PictureDrawer } from './picture-drawer.ts'
import { drawPlaceholder } from './placeholder.ts'

const subject = { id: 7, title: 'Opening keynote', kind: 'photo' } as const

test('a picture is the same from the process that draws, as PNG and as JPEG', async () => {
  const drawer = new PictureDrawer()
  expect(await drawer.draw(subject)).toEqual(await drawPlaceholder(subject))
  expect(await drawer.draw(subject, 'jpeg')).toEqual(await drawPlaceholder(subject, 'jpeg'))
  drawer.close()
})

test.skipIf(process.platform !== 'linux')(
  'the process ends when there is nothing to draw, and starts again with the next picture',
  async () => {
    const before = drawingProcesses()
    const drawer = new PictureDrawer({ idleMs: 50 })
    const own = () => drawingProcesses().filter((pid) => !before.includes(pid))
    const [first] = await Promise.all([drawer.draw(subject), drawer.draw({ ...subject, id: 8 })])
    await expect.poll(own).toEqual([])
    expect(await drawer.draw(subject)).toEqual(first)
    drawer.close()
  },
)

describe.skipIf(process.platform !== 'linux')('the process that draws', () => {
  test.each(['SIGSTOP', 'SIGKILL'] as const)('gets %s: the pictures that wait are drawn by another', async (name) => {
    using opened = openDrawer(8_000)
    const { drawer, own, signalOnce } = opened
    const expected = await drawPlaceholder(subject)
    const waiting = [drawer.draw(subject), drawer.draw({ ...subject, id: 8 })]
    const [pid] = signalOnce(name)
    expect(await waiting[0]).toEqual(expected)
    expect((await waiting[1])?.length).toBeGreaterThan(0)
    await expect.poll(own).not.toContain(pid)
  })

  test.each(['SIGSTOP', 'SIGKILL'] as const)(
    'gets %s, and so does the next: the picture is unavailable, the next ones at once, and later they are drawn',
    async (name) => {
      using opened = openDrawer(8_000)
      const { drawer, own, signalOnce, signalNext } = opened
      const unavailable = expect(drawer.draw(subject)).rejects.toThrow(DrawingInterrupted)
      await signalNext(name, signalOnce(name))
      await unavailable
      await expect(drawer.draw(subject)).rejects.toThrow('Drawing has just failed twice.')
      await expect.poll(own).toEqual([])
      await expect.poll(() => drawer.draw(subject).catch(() => undefined), { timeout: 30_000 }).toBeDefined()
    },
  )

  test('is killed with the drawer, also while it is stopped', async () => {
    using opened = openDrawer()
    const { drawer, own, signalOnce } = opened
    const unavailable = expect(drawer.draw(subject)).rejects.toThrow('was ended')
    signalOnce('SIGSTOP')
    drawer.close()
    await unavailable
    await expect.poll(own).toEqual([])
  })

  test('of a server stops responding: a banner is drawn by another, else unavailable, and drawn later', async () => {
    await using storage = await createTestStorage()
    {
      await using t = await startTestAppOn(storage)
      for (let nth = 0; nth < 3; nth++) await make.event(t)
    }
    await using server = await startServer(storage.dataDir, storage.settings)
    const banner = (id: number) => fetch(`${server.url}/api/program/banner/get/${id}`)
    const typeOf = async (id: number) => (await banner(id)).headers.get('content-type')
    expect(await typeOf(1)).toBe('image/png')
    for (const pid of drawingProcesses(server.pid)) signal(pid, 'SIGSTOP')
    expect(await typeOf(2)).toBe('image/png')

    const stopping = setInterval(() => {
      for (const pid of drawingProcesses(server.pid)) signal(pid, 'SIGSTOP')
    }, 5)
    const refused = await banner(3)
    clearInterval(stopping)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject([{ response_code: 5030 }])
    await expect.poll(() => typeOf(3), { timeout: 60_000 }).toBe('image/png')
  })
})
