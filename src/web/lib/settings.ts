import { all } from './page.ts'

/** Shows the page at once in the hue that is chosen, with a slider beside the field for its number. */
export function startHue(): void {
  for (const group of all('[data-hue]')) {
    const slider = group.querySelector<HTMLInputElement>('input[type="range"]')
    const field = group.querySelector<HTMLInputElement>('input[name="hue"]')
    if (!slider || !field) continue
    const sheet = new CSSStyleSheet()
    document.adoptedStyleSheets.push(sheet)
    const show = () => {
      const hue = field.validity.valid && field.value !== '' ? field.value : (group.dataset.hue ?? '')
      slider.value = hue
      sheet.replaceSync(`:root{--hue:${Number(hue)}}`)
    }
    const choose = (hue: string) => {
      field.value = hue
      show()
    }
    slider.hidden = false
    slider.addEventListener('input', () => choose(slider.value))
    field.addEventListener('input', show)
    group.querySelector('[data-own-hue]')?.addEventListener('click', () => choose(''))
    show()
  }
}

/** Of all time zones, that of the browser comes first. */
export function startOwnZone(): void {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  for (const select of all<HTMLSelectElement>('[data-own-zone] select')) {
    const own = [...select.options].find(({ value }) => value === timeZone)
    if (own) select.prepend(own)
  }
}
