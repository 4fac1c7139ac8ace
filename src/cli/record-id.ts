import { OperatorError } from '../server/core/operator-error.ts'

/** @throws OperatorError if it is not the id of a record */
export function parseId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new OperatorError(`“${text}” is not an id: it must be a number from 1.`)
  return Number(text)
}

/** @param kind as the operator knows it: `participant`, `deleted topic` */
export const noSuchRecord = (kind: string, id: number): OperatorError => new OperatorError(`There is no ${kind} ${id}.`)
