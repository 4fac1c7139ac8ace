import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testAppIn, testPlace } from '../../../test/app.ts'
import * as make from '../../../test/make.ts'

test('a start with an older copy of the database does not remove files that only newer rows name', async () => {
  await using place = await testPlace()
  {
    await using t = await testAppIn(place)
    await make.topic(t, { uploaded_files: [{ name: 'slides.txt', data: 'R3LD' }] })
    await t.ctx.database.transaction((tx) => tx.deleteFrom('file').execute())
  }
  const before = await make.blobs(place)
  expect(before).toHaveLength(1)
  {
    await using _ = await testAppIn(place)
    await sleep(300)
  }
  expect(await make.blobs(place)).toEqual(before)
})
