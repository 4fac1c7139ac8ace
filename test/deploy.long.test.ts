import { expect, test } from 'vitest'
import { startTestApp } from './app.ts'
import { createDataFolder } from './faults/create-data-folder.ts'
import { nginxMissing, startHostNginx } from './faults/nginx.ts'

// More requests than the limits of nginx let through at once.

test.skipIf(nginxMissing !== undefined)(
  'a venue that shares an address loads the assets of pages without limit through nginx',
  async () => {
    await using folder = await createDataFolder()
    await using t = await startTestApp()
    await using nginx = await startHostNginx(folder.dir, Number(new URL(t.url).port))
    const [style] = /\/web\/[^"]+/.exec(await (await fetch(`${nginx.url}/sign-in`)).text()) ?? []
    const statuses = new Set<number>()
    for (let n = 0; n < 50; n++)
      for (const { status } of await Promise.all(
        Array.from({ length: 50 }, () => fetch(nginx.url + style, { method: 'HEAD' })),
      ))
        statuses.add(status)
    expect([...statuses]).toEqual([200])
  },
)
