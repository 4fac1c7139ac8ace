import { Parser } from 'htmlparser2'

/** A part of a workbook cannot be read, for the reason in the message. */
export class WorkbookError extends Error {}

export interface XmlEvents {
  /** @param attributes by their names as they are written */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  /** Part of a text. */
  text?(text: string): void
}

/** Parts of workbooks have a dozen levels, and elements of a dozen attributes. */
const maxDepth = 100
const maxAttributes = 200

/** Bytes that are decoded and parsed at a time. */
const chunkBytes = 65_536

/**
 * Reads a part of a workbook from its beginning to its end, without making a tree of it, which may be large. Names are those
 * without their prefix. Entities are only the five of XML, and nothing is fetched.
 *
 * @throws WorkbookError if it is cut off, or nested as no program does; whatever the events throw
 */
export function readOfficeXml(bytes: Buffer, { open, close, text }: XmlEvents): void {
  let depth = 0
  let attributes = 0
  const parser = new Parser(
    {
      onopentagname: () => {
        attributes = 0
        if (++depth > maxDepth) throw new WorkbookError('it is nested too deeply')
      },
      onattribute: () => {
        if (++attributes > maxAttributes) throw new WorkbookError('an element has too many attributes')
      },
      onopentag: (name, attributes) => open?.(localName(name), attributes),
      onclosetag: (name) => {
        depth--
        close?.(localName(name))
      },
      ontext: (part) => text?.(part),
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder(/^(?:fffe|3c00)/.test(bytes.toString('hex', 0, 2)) ? 'utf-16le' : 'utf-8')
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parser.write(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }))
  if (depth > 0) throw new WorkbookError('a part of it is cut off')
  parser.end()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
