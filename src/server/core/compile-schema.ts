import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'

/**
 * TypeBox stops after eight errors by default, and one member may have several; every invalid member must be reported.
 */
const maxErrors = 1_000

type Formats = Readonly<Record<string, (value: string) => boolean>>

/** A validator that is compiled at first use. */
export function lazyValidator<const S extends TSchema>(schema: S, formats: Formats = {}) {
  let compiled: Validator<Record<never, never>, S> | undefined
  return () => {
    compiled ??= compileSchema(schema, formats)
    return compiled
  }
}

/**
 * Compiles a schema to a validator that reports all errors, in about a millisecond.
 * @param formats of the schema's strings, by name; TypeBox has one table of formats for the whole process
 */
export function compileSchema<const S extends TSchema>(
  schema: S,
  formats: Formats,
): Validator<Record<never, never>, S> {
  Settings.Set({ maxErrors })
  for (const [name, isValid] of Object.entries(formats)) {
    const other = Format.Get(name)
    if (other && other !== isValid) throw new Error(`There are two formats called ${name}.`)
    Format.Set(name, isValid)
  }
  return Compile(schema)
}

/** An error that a validator reports. */
export type SchemaError = ReturnType<Validator['Errors']>[number]
