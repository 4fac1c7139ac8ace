/** For each column, whether it is shown: a choice that omits one, or names another, is an error for `tsc`. */
export type ColumnChoice<Column extends string> = Readonly<Record<Column, 'shown' | 'withheld'>>

/** The shown columns, in the order of the choice. */
export const shownColumns = <Column extends string>(choice: ColumnChoice<Column>): Column[] =>
  (Object.keys(choice) as Column[]).filter((column) => choice[column] === 'shown')
