import { findPictureProblem } from '../../server/lifecycle/start/picture-check.ts'
import { type Check, orOk, problem } from './diagnosis.ts'

/** Whether pictures can be drawn. */
export const checkImages: Check = async () => {
  const found = await findPictureProblem()
  return orOk(found === undefined ? [] : [problem(found)], 'can be drawn')
}
