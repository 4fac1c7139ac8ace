import { expect, test } from 'vitest'
import { hasRealProgram, parseRealProgram } from '../../../domains/import/formats/programs.fixtures.ts'
import { sanitizeHtml } from '../../../domains/program/html.ts'
import { expectNoLoss } from './editable-text.fixtures.ts'
import { toEditableText } from './editable-text.ts'

test.skipIf(!hasRealProgram('39c3.schedule.json'))(
  'the texts of 39C3 are edited without loss, most as plain text',
  () => {
    const texts = parseRealProgram('39c3.schedule.json')
      .sessions.flatMap(({ description = '', details = '' }) => [description, details])
      .filter((text) => text !== '')
      .map(sanitizeHtml)
    expect(texts.length).toBeGreaterThan(500)
    for (const text of texts) expectNoLoss(text)
    const plain = texts.filter((text) => toEditableText(text) !== undefined)
    expect(plain.length / texts.length).toBeGreaterThan(0.6)
  },
)
