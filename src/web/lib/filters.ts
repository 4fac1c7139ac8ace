import { all } from './page.ts'

/** Shows what was chosen at once, without a button, and leaves no empty parameters in the address. */
export function startFilters(): void {
  for (const form of all<HTMLFormElement>('form[data-filters]')) {
    // Words are typed, so their button stays.
    if (!form.querySelector('[type=search]')) for (const button of form.querySelectorAll('button')) button.hidden = true
    const submit = () => {
      const chosen = [...new FormData(form)].filter(([, value]) => value !== '') as [string, string][]
      const query = new URLSearchParams(chosen).toString()
      location.assign(form.action + (query && `?${query}`))
    }
    form.addEventListener('change', submit)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      submit()
    })
  }
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
