import { expect } from 'vitest'
import { sanitizeHtml } from '../../../domains/program/html.ts'
import { toPlainText } from '../../../domains/program/plain-text.ts'
import { toEditableText, toHtml } from './editable-text.ts'

const wordsOf = (fragment: string) => toPlainText(fragment).split(/\s+/)

/** Asserts that a text that was opened and saved has lost nothing, and is the same when it is opened again. */
export function expectNoLoss(stored: string): void {
  const text = toEditableText(stored)
  if (text === undefined) return
  const saved = toHtml(text)
  expect(sanitizeHtml(saved)).toBe(saved)
  expect(wordsOf(saved)).toEqual(wordsOf(stored))
  expect(toEditableText(saved)?.replaceAll(/\n+/g, '\n')).toBe(text.replaceAll(/\n+/g, '\n'))
}
