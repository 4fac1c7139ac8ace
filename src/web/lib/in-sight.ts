import { all } from './page.ts'

/** In a row that is pushed, what is chosen is in sight from the start. */
export function startInSight(): void {
  for (const link of all('.states [aria-current]')) {
    const row = link.parentElement
    if (row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
  }
}
