import { OperatorError } from '../server/core/operator-error.ts'

/** @param kind as the operator knows it: `participant`, `deleted topic` */
export const noSuchRecord = (kind: string, id: number): OperatorError => new OperatorError(`There is no ${kind} ${id}.`)
