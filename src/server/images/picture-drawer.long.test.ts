import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PictureDrawer } from './picture-drawer.ts'
import { drawPlaceholder } from './placeholder.ts'

const subject = { id: 7, title: 'Opening keynote', kind: 'photo' } as const

/** The processes that draw pictures for this one. */
const drawing = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        return (
          status.includes(`PPid:\t${process.pid}\n`) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('draw-process')
        )
      } catch {
        return false
      }
    })

test('a picture is the same from the process that draws, as PNG and as JPEG', async () => {
  const drawer = new PictureDrawer()
  expect(await drawer.draw(subject)).toEqual(await drawPlaceholder(subject))
  expect(await drawer.draw(subject, 'jpeg')).toEqual(await drawPlaceholder(subject, 'jpeg'))
  drawer.close()
})

test.skipIf(process.platform !== 'linux')(
  'the process ends when there is nothing to draw, and starts again with the next picture',
  async () => {
    const before = drawing()
    const drawer = new PictureDrawer(50)
    const own = () => drawing().filter((pid) => !before.includes(pid))
    const [first] = await Promise.all([drawer.draw(subject), drawer.draw({ ...subject, id: 8 })])
    await expect.poll(own).toEqual([])
    expect(await drawer.draw(subject)).toEqual(first)
    drawer.close()
  },
)

test.skipIf(process.platform !== 'linux')(
  'a picture whose process is killed fails, and the next is drawn',
  async () => {
    const before = drawing()
    const drawer = new PictureDrawer()
    const killed = drawer.draw(subject)
    for (const pid of drawing()) if (!before.includes(pid)) process.kill(pid, 'SIGKILL')
    await expect(killed).rejects.toThrow('exited with SIGKILL')
    expect((await drawer.draw(subject)).length).toBeGreaterThan(0)
    drawer.close()
  },
)
