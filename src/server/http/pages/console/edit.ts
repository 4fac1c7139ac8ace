import { createHash } from 'node:crypto'
import { Failure } from '../../../core/failure.ts'
import { type Fields, NothingChanged } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt } from './console.ts'

// Two organizers may edit a record at the same time. A form says what it has shown, as a digest of each value, so that
// only what somebody has changed is sent on, and a stale form can show what each of them has changed.

/** The values of a form by the names of its fields; a list for checkboxes of one name. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>

/** A form as it is shown: for the first time, or again after it could not be saved. */
export interface Edit {
  /** What the fields have. */
  values: FormValues
  errors: ReadonlyMap<string, string>
  /** The fields that somebody else has changed since the form was shown. */
  changed: ReadonlySet<string>
  /** Of those that both have changed, what the other has written. */
  theirs: FormValues
  /** The hidden fields of the form. */
  hidden: Html
}

/**
 * A form that edits a record.
 * @param current the values of the record as it is now
 * @param revision the newest revision of the record; undefined for a new one
 * @param attempt the attempt to save it, if it is one of this form
 */
export function openEdit(current: FormValues, revision: number | undefined, attempt?: Attempt): Edit {
  const sent = attempt ? valuesIn(attempt.sent, Object.keys(current)) : undefined
  const was = attempt ? digestsIn(attempt.sent) : {}
  const values: Record<string, string | readonly string[]> = { ...current }
  const theirs: Record<string, string | readonly string[]> = {}
  const changed = new Set<string>()
  for (const [name, value] of Object.entries(sent ?? {})) {
    // One that the form did not have, as of a row that somebody else has added.
    if (revision !== undefined && was[name] === undefined) continue
    const now = current[name] ?? ''
    const isMine = digestOf(value) !== was[name]
    const isTheirs = was[name] !== undefined && digestOf(now) !== was[name]
    if (isMine) values[name] = value
    if (isTheirs && digestOf(value) !== digestOf(now)) changed.add(name)
    if (isTheirs && isMine && changed.has(name)) theirs[name] = now
  }
  const digests = Object.fromEntries(Object.entries(current).map(([name, value]) => [name, digestOf(value)]))
  return {
    values,
    errors: errorsIn(attempt?.failure),
    changed,
    theirs,
    hidden:
      revision === undefined
        ? html``
        : html`<input type="hidden" name="revision" value="${revision}"><input type="hidden" name="was" value="${JSON.stringify(digests)}">`,
  }
}

/**
 * Reads a form of {@link openEdit}: only what was changed in it, and the revision that it was made from. Boxes that are not
 * ticked are not sent, so what is missing is empty.
 * @param convert converts fields that are no members of the operation
 * @throws NothingChanged
 */
export const readEdit =
  (convert: (fields: Fields) => Fields = (fields) => fields) =>
  (sent: Fields): Fields => {
    const was = digestsIn(sent)
    const names = Object.keys(was)
    if (names.length === 0) return convert(withoutReturns(sent))
    const values = Object.entries(valuesIn(sent, names)).filter(([name, value]) => digestOf(value) !== was[name])
    if (values.length === 0) throw new NothingChanged()
    return { ...convert(Object.fromEntries(values)), revision: sent.revision }
  }

/** Whether somebody has changed a field of {@link openEdit} in a form that was sent. */
export const isChanged = (sent: Fields, name: string): boolean =>
  digestOf(textsOf(sent[name])) !== digestsIn(sent)[name]

/** What somebody has typed in a form of {@link openEdit}, by the names of its fields. */
export const typedIn = (sent: Fields): [name: string, text: string][] =>
  Object.keys(digestsIn(sent))
    .filter((name) => isChanged(sent, name))
    .map((name): [string, string] => [name, [textsOf(sent[name])].flat().filter(Boolean).join(', ')])
    .filter(([, text]) => text !== '')

/** The value of a field that was sent; '' for none. */
export const sentText = (sent: Fields, name: string): string => [textsOf(sent[name])].flat().join()

/**
 * A failure in the words of a form.
 * @param fieldOf for a member, the name of its field, what the form calls it, and what the form says in place of the message
 */
export function explain(
  failure: Failure,
  fieldOf: (member: string) => { name: string; label: string; message?: string | undefined } | undefined,
): Failure {
  const fields = failure.fields.map((failed) => {
    const { name, label, message: own } = fieldOf(failed.field) ?? { name: failed.field, label: failed.field }
    // Members with an underscore are no words that a sentence may have.
    const message =
      own ??
      failed.message
        .replace(failed.field, () => label)
        .replaceAll(/[a-z]+(?:_[a-z]+)+/g, (member) => fieldOf(member)?.label ?? member)
    return { ...failed, field: name, message }
  })
  const { reason, current } = failure
  return new Failure(reason, { fields, ...(current && { current }), cause: failure })
}

/** As {@link explain}, for a form whose fields are named like the members. */
export const explainWith =
  (labels: Readonly<Record<string, string>>, messages: Readonly<Record<string, string>> = {}) =>
  (failure: Failure): Failure =>
    explain(failure, (name) =>
      labels[name] === undefined ? undefined : { name, label: labels[name], message: messages[name] },
    )

const errorsIn = (failure: Failure | undefined): ReadonlyMap<string, string> =>
  new Map(failure?.fields.map(({ field, message }) => [field, message]))

const valuesIn = (sent: Fields, names: readonly string[]): FormValues =>
  Object.fromEntries(names.map((name) => [name, textsOf(sent[name])]))

const textsOf = (value: unknown): string | readonly string[] =>
  Array.isArray(value) ? value.map((part) => withoutReturn(String(part))) : withoutReturn(String(value ?? ''))

/** Browsers send the lines of a text with carriage returns (HTML, 4.10.21.7), also those that had only a return. */
const withoutReturn = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/** The fields of a form with the lines that somebody has typed. */
export const withoutReturns = (sent: Fields): Fields =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? withoutReturn(value) : value]),
  )

/** One box that is ticked is sent as a text, so a list of one is the same as its element. */
const digestOf = (value: string | readonly string[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        [value]
          .flat()
          .filter((text, _, all) => text !== '' || all.length > 1)
          .map(withoutReturn),
      ),
    )
    .digest('base64url')
    .slice(0, 8)

const digestsBy = new WeakMap<Fields, Readonly<Record<string, string>>>()

/** Once for each form: a list asks for each of its fields. */
function digestsIn(sent: Fields): Readonly<Record<string, string>> {
  const digests = digestsBy.get(sent) ?? readDigests(sent)
  digestsBy.set(sent, digests)
  return digests
}

/** Whoever changes the field can only send more, or less, of their own form. */
function readDigests({ was }: Fields): Readonly<Record<string, string>> {
  try {
    const digests: unknown = JSON.parse(String(was))
    return typeof digests === 'object' && digests !== null ? (digests as Record<string, string>) : {}
  } catch {
    return {}
  }
}
