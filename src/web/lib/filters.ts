import { all } from './page.ts'

/** Leaves no empty parameters in the address. */
export function startFilters(): void {
  for (const form of all<HTMLFormElement>('form[data-filters]'))
    form.addEventListener('formdata', ({ formData }) => {
      for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
    })
}

/** In a row that is pushed, what is chosen is in sight from the start, and then what has the focus. */
export function startInSight(): void {
  for (const row of all('.states, .days, .tabs ul')) {
    const link = row.querySelector<HTMLElement>('[aria-current]')
    if (link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2
    // Browsers push only what is hardly in sight.
    row.addEventListener('focusin', ({ target }) =>
      (target as Element).scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    )
  }
}
