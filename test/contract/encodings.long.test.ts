import { expect, test } from 'vitest'
import { examples, withBody } from './examples.ts'
import { foreignMembers, outcomeOf } from './outcome.ts'
import { encodings, requestFor } from './requests.ts'

test.each(withBody)(
  '%s does the same in all three encodings, and ignores members that are not its own',
  async (name) => {
    const body = examples[name].body ?? {}
    const plain = await outcomeOf({ ...requestFor(name), ...encodings.json(body) })
    for (const encode of Object.values(encodings))
      expect(await outcomeOf({ ...requestFor(name), ...encode({ ...foreignMembers, ...body }) })).toEqual(plain)
    expect(Object.prototype).not.toHaveProperty('is_deleted')
  },
)
