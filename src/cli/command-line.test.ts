import { expect, test } from 'vitest'
import { runSummitInProcess } from '../../test/command.ts'

test('an operator sees every setting with its source, and no secret', async () => {
  const { code, out } = await runSummitInProcess(['config'], { PORT: '4000', SIGNATURE_KEY: 'ab'.repeat(32) })
  expect(code).toBe(0)
  expect(out).toMatch(/^PORT +4000 +environment$/m)
  expect(out).toMatch(/^HOST +127\.0\.0\.1 +default$/m)
  expect(out).toMatch(/^SIGNATURE_KEY +\(hidden\) +environment$/m)
})

test('an operator sees all settings, with the invalid ones marked', async () => {
  const { code, out, err } = await runSummitInProcess(['config'], {
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'https://me:s3cret@summit.example',
  })
  expect(code).toBe(1)
  expect(out).toMatch(/^PORT +eighty +environment {2}INVALID$/m)
  expect(out).toMatch(/^PUBLIC_URL +\(hidden\) +environment {2}INVALID$/m)
  expect(out).toMatch(/^DATA_DIR +\.\/data +default$/m)
  expect(err.split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535. It is "eighty".',
    'PUBLIC_URL must be an http or https URL without user, query, fragment or spaces.',
    'LOG_LEVEL must be silent, error, warn, info or debug. It is "loud".',
    '',
  ])
})
