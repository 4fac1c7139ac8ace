import { all } from './page.ts'

/** A button marked `data-count` says how many boxes of a name are ticked in its form. */
export function startTicked(): void {
  for (const button of all<HTMLButtonElement>('button[data-count]')) {
    const { form, dataset } = button
    // Without boxes, all are meant.
    if (!form?.querySelector(`[name="${dataset.count}"]`)) continue
    const show = () => {
      const { length } = all(`[name="${dataset.count}"]:checked`, form)
      button.disabled = length === 0
      button.textContent =
        (length === 1 ? dataset.one : dataset.many?.replace('#', length.toLocaleString())) ?? button.textContent
    }
    form.addEventListener('change', show)
    // Whoever comes back finds the boxes as they have left them.
    addEventListener('pageshow', show)
    show()
  }
}
