import { expect, test } from 'vitest'
import { openDrawer } from './drawing-processes.fixtures.ts'

test.skipIf(process.platform !== 'linux')('a picture whose process is killed is drawn by another', async () => {
  using opened = openDrawer()
  const picture = opened.drawer.draw({ id: 7, title: 'Opening keynote', kind: 'photo' })
  expect(opened.signalOnce('SIGKILL')).toHaveLength(1)
  expect((await picture).length).toBeGreaterThan(0)
})
