import type { Operation } from '../../contract/operation.ts'

/**
 * Tells a page from every other: by who is asked for it, as absolute links show it, and its path as the contract
 * writes it. No path has a space in it, so that nothing said to be a host can pass for the beginning of one.
 */
export const pageKey = (host: string | undefined, path: string): string => `${host} ${path}`

/** The path of an operation with these values in it. */
export const pathOf = ({ path }: Operation, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))
