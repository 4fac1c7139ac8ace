import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'

/**
 * TypeBox stops after eight errors by default, and one member may have several; every invalid member must be reported.
 */
const maxErrors = 1_000

/** Compiles a schema to a validator that reports all errors. @param formats of the schema's strings, by name */
export function compileSchema<const S extends TSchema>(
  schema: S,
  formats: Readonly<Record<string, (value: string) => boolean>> = {},
): Validator<Record<never, never>, S> {
  Settings.Set({ maxErrors })
  for (const [name, isValid] of Object.entries(formats)) Format.Set(name, isValid)
  return Compile(schema)
}
