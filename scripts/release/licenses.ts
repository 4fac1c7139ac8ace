/** Licences (SPDX) of packages that may be part of the built program: those that require no more than their text. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'PSF-2.0',
]

/** Others that are accepted for packages that npm installs next to it, unchanged, where users can replace them. */
const weakCopyleft = ['LGPL-3.0-or-later', 'MPL-2.0']

/** @param expression SPDX, such as `MIT`, `(MIT OR GPL-3.0-only)` or `MIT AND (ISC OR GPL-3.0-only)` */
const isAmong = (licenses: readonly string[], expression: string): boolean =>
  splitOutside(expression, ' AND ').every((part) =>
    splitOutside(part, ' OR ').some((choice) =>
      choice === part ? licenses.includes(choice) : isAmong(licenses, choice),
    ),
  )

/**
 * Splits at a word outside of brackets; brackets around all of it are removed. Without brackets, AND is taken to bind
 * less than OR, which refuses more.
 */
function splitOutside(expression: string, word: string): string[] {
  const inner = /^\(([^()]*)\)$/.exec(expression)?.[1] ?? expression
  return inner.split(new RegExp(`${word}(?![^()]*\\))`))
}

export const mayBeContained = (expression: string): boolean => isAmong(permissive, expression)
export const mayBeInstalled = (expression: string): boolean => isAmong([...permissive, ...weakCopyleft], expression)
