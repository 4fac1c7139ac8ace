/**
 * Whether a text is one e-mail address: as in `<input type=email>`
 * (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address), and within SMTP's limits (RFC 5321,
 * 4.5.3.1). Nothing in it can end a line, or begin another address.
 */
export const isMailAddress = (text: string): boolean => text.length <= 254 && pattern.test(text)

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const pattern = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${label}(?:\\.${label})*$`)
