/** A part of a plan that reads many rows. */
interface Flaw {
  table: string
  /** It reads a whole table or index, a range of it with one end, or all rows with a common key. */
  kind: 'scan' | 'range' | 'key'
  /** The line of the plan. */
  line: string
}

/** @param perKey the mean number of rows with the same values in the first columns of an index, by its name */
export const findSqliteFlaws = (plan: readonly string[], perKey: ReadonlyMap<string, number[]>): Flaw[] =>
  plan.flatMap((line): Flaw[] => {
    const [, how = '', table = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(line) ?? []
    if (how === 'SCAN') return [{ table, kind: 'scan', line }]
    // Without conditions, it reads the first or last row.
    const conditions = /\((.*)\)/.exec(rest)?.[1]?.split(' AND ') ?? []
    const equal = conditions.filter((condition) => condition.endsWith('=?')).length
    const bounds = conditions.length - equal
    if (equal === 0 && bounds === 1) return [{ table, kind: 'range', line }]
    const index = /INDEX (\w+)/.exec(rest)?.[1] ?? ''
    return bounds === 0 && (perKey.get(index)?.[equal] ?? 1) > maxPerKey ? [{ table, kind: 'key', line }] : []
  })

/** Rows with the same key that may be read for a few of them. */
const maxPerKey = 1_000

export interface PostgresPlan {
  'Node Type': string
  'Relation Name'?: string
  Plans?: PostgresPlan[]
}

export const findPostgresFlaws = ({ 'Node Type': node, 'Relation Name': table, Plans = [] }: PostgresPlan): Flaw[] => [
  ...(node === 'Seq Scan' && table !== undefined
    ? [{ table, kind: 'scan' as const, line: `${node} on ${table}` }]
    : []),
  ...Plans.flatMap(findPostgresFlaws),
]

/** Whether a limit ends the reading, as of a page of a list, or of a batch. */
export function isLimited(statement: string, { kind, table }: Flaw): boolean {
  const page = /^( where "is_deleted" = 0)?( order by (\(case [^()]*\)|[^()])*)? limit /
  return statement
    .split(`from "${table}"`)
    .slice(1)
    .some((rest) => (kind === 'range' ? rest.includes(' limit ') : kind === 'scan' && page.test(rest)))
}
