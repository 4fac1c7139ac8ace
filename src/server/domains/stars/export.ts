import { exportedList } from '../../storage/db/exported-list.ts'
import { starCountsAfter } from './store.ts'

/** How many have starred each session, without who and when: what one participant has starred is theirs alone. */
export const starsExport = {
  stars: exportedList({ id: 'shown', session: 'shown', stars: 'shown' }, starCountsAfter),
}
