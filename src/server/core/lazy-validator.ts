import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'

/**
 * TypeBox stops after eight errors by default, and one member may have several; every invalid member must be reported.
 */
const maxErrors = 1_000

/**
 * A validator of a schema that reports all errors, compiled at first use: that takes a millisecond, and all schemas
 * together would take ten at the start.
 * @param formats of the schema's strings, by name; TypeBox has one table of formats for the whole process
 */
export function lazyValidator<const S extends TSchema>(
  schema: S,
  formats: Readonly<Record<string, (value: string) => boolean>> = {},
): () => Validator<Record<never, never>, S> {
  let compiled: Validator<Record<never, never>, S> | undefined
  return () => {
    compiled ??= compile(schema, formats)
    return compiled
  }
}

function compile<const S extends TSchema>(
  schema: S,
  formats: Readonly<Record<string, (value: string) => boolean>>,
): Validator<Record<never, never>, S> {
  Settings.Set({ maxErrors })
  for (const [name, isValid] of Object.entries(formats)) {
    const other = Format.Get(name)
    if (other && other !== isValid) throw new Error(`There are two formats called ${name}.`)
    Format.Set(name, isValid)
  }
  return Compile(schema)
}
