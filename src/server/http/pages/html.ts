/** Markup, as opposed to text, which is escaped when it becomes part of markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Nothing is written for `undefined`, `null` and `false`, so that parts may be absent. */
type Part = Html | string | number | undefined | null | false | readonly Html[]

/** Markup from a template: texts in it are escaped. Attribute values must be quoted. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(toMarkup)))

function toMarkup(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'object') return part.map(toMarkup).join('')
  // Many times faster than a function for each character, of which a text may have thousands.
  return String(part)
    .replaceAll('&', '&#38;')
    .replaceAll('<', '&#60;')
    .replaceAll('>', '&#62;')
    .replaceAll('"', '&#34;')
    .replaceAll("'", '&#39;')
}
