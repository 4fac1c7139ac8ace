import { randomUUID } from 'node:crypto'
import { consoleText } from '../../../../web/text/en-console.ts'
import { idempotencyField } from '../../request/input.ts'
import type { Fields } from '../form.ts'
import { type Html, html } from '../html.ts'
import type { Attempt } from './console.ts'
import type { Edit } from './edit.ts'
import { idOf } from './notices.ts'

// The fields of forms, each with its label, hint, error, and what somebody else has written meanwhile.

interface Field {
  /** The member of the operation. */
  name: string
  label: string
  hint?: string
}

/** What a control needs of its field: its value, and the attributes that connect it with label, hint and error. */
interface Control {
  value: string
  values: readonly string[]
  attributes: Html
}

/** A field with a control of its own. */
export function fieldWith(edit: Edit, { name, label, hint }: Field, control: (control: Control) => Html): Html {
  const id = idOf(name)
  const error = edit.errors.get(name)
  const theirs = edit.theirs[name]
  const isTaken = theirs === undefined && edit.changed.has(name)
  const { notices } = consoleText
  const described = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(theirs === undefined && !isTaken ? [] : [`${id}-theirs`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ]
  const attributes = html` id="${id}" name="${name}"${error !== undefined && html` aria-invalid="true"`}${described.length > 0 && html` aria-describedby="${described.join(' ')}"`}`
  const value = edit.values[name] ?? ''
  return html`<div class="field"><label for="${id}">${label}</label>
${control({ value: String(value), values: [value].flat(), attributes })}
${error !== undefined && html`<p class="error" id="${id}-error">${error}</p>\n`}${theirs !== undefined && html`<p class="theirs" id="${id}-theirs" dir="auto">${notices.theirs([theirs].flat().filter(Boolean).join(', '))}</p>\n`}${isTaken && html`<p class="theirs" id="${id}-theirs">${notices.taken}</p>\n`}${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>\n`}</div>
`
}

interface TextField extends Field {
  type?: 'text' | 'url' | 'date' | 'datetime-local' | 'time' | 'number' | 'color'
  isRequired?: boolean
  maxLength?: number
  /** The id of a list of suggestions. */
  list?: string
}

export const textField = (edit: Edit, field: TextField): Html =>
  fieldWith(
    edit,
    field,
    ({ value, attributes }) =>
      html`<input${attributes} type="${field.type ?? 'text'}" value="${value}"${field.isRequired && html` required`}${field.maxLength !== undefined && html` maxlength="${field.maxLength}"`}${field.list !== undefined && html` list="${field.list}"`}${field.type === undefined && html` dir="auto"`} autocomplete="off">`,
  )

export const areaField = (edit: Edit, field: Field & { rows: number }): Html =>
  fieldWith(
    edit,
    field,
    // Parsers drop one newline at the start of the element.
    ({ value, attributes }) =>
      html`<textarea${attributes} rows="${field.rows}" dir="auto">${value.startsWith('\n') ? '\n' : ''}${value}</textarea>`,
  )

/** @param options value and label; a value that is none of them is shown as it is */
export const selectField = (
  edit: Edit,
  field: Field & { options: readonly (readonly [value: string, label: string])[] },
): Html =>
  fieldWith(edit, field, ({ value, attributes }) => {
    const options = field.options.some(([option]) => option === value)
      ? field.options
      : [[value, value] as const, ...field.options]
    return html`<select${attributes}>${options.map(([option, label]) => html`<option value="${option}"${option === value && html` selected`}>${label}</option>`)}</select>`
  })

/** A box to tick, of which the value is `true` or empty. */
export const checkField = (edit: Edit, { name, label, hint }: Field): Html => {
  const id = idOf(name)
  const error = edit.errors.get(name)
  return html`<div class="field"><label class="option"><input type="checkbox" id="${id}" name="${name}" value="true"${edit.values[name] === 'true' && html` checked`}> ${label}</label>
${error !== undefined && html`<p class="error">${error}</p>\n`}${edit.changed.has(name) && html`<p class="theirs">${consoleText.notices.taken}</p>\n`}${hint !== undefined && html`<p class="hint">${hint}</p>\n`}</div>
`
}

/** The time zones to choose from. */
export const zoneOptions = (): (readonly [value: string, label: string])[] =>
  Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const)

/** Fields that a form sends along, but for those that are empty. */
export const hiddenFields = (values: Fields, names: readonly string[]): Html =>
  html`${names.flatMap((name) => (values[name] ? [html`<input type="hidden" name="${name}" value="${String(values[name])}">\n`] : []))}`

/**
 * A hidden key with which a form for a new record that is sent twice counts once. One that is shown again after a failure
 * keeps its own, as that may have been the second of both.
 */
export const keyField = (attempt?: Attempt): Html =>
  html`<input type="hidden" name="${idempotencyField}" value="${attempt?.failure ? String(attempt.sent[idempotencyField] ?? '') || randomUUID() : randomUUID()}">`
