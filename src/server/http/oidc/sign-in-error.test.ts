import { expect, test } from 'vitest'
import { describeCauses, orSignInError } from './sign-in-error.ts'

test('a response of the identity provider that is no JSON is described without its text', async () => {
  const error = await orSignInError(async () => JSON.parse('access_token=sent')).catch((thrown: Error) => thrown)
  expect(error.cause).toMatchObject({ message: expect.stringContaining('sent') })
  expect(describeCauses(error)).toBe('SyntaxError')
})
