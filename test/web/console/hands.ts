import type { Locator, Page } from 'playwright-core'

/** How somebody uses a page. */
export interface Hand {
  /** Follows a link, or presses a button. */
  press(target: Locator): Promise<unknown>
  fill(field: Locator, text: string): Promise<unknown>
  select(field: Locator, label: string): Promise<unknown>
  chooseFile(field: Locator, path: string): Promise<unknown>
}

export const hands: Record<'pointer' | 'keyboard', (page: Page) => Hand> = {
  pointer: () => ({
    press: (target) => target.click(),
    fill: (field, text) => field.fill(text),
    select: (field, label) => field.selectOption(label),
    chooseFile: (field, path) => field.setInputFiles(path),
  }),
  keyboard: (page) => {
    const { keyboard } = page
    // The browser hands its file chooser over from the first listener on; told so with the key, it may do it too late.
    page.on('filechooser', () => {})
    const type = async (field: Locator, text: string) => {
      await reach(page, field)
      await keyboard.type(text)
    }
    return {
      press: async (target) => {
        await reach(page, target)
        await keyboard.press((await page.evaluate('document.activeElement.localName')) === 'a' ? 'Enter' : 'Space')
      },
      fill: async (field, text) => {
        const kind = await field.getAttribute('type')
        if (kind === 'date') return type(field, text.replace(/(\d+)-(\d+)-(\d+)/, '$2$3$1'))
        if (kind === 'time') return type(field, inHalves(text))
        await reach(page, field)
        await keyboard.press('ControlOrMeta+A')
        await keyboard.type(text)
      },
      select: type,
      chooseFile: async (field, path) => {
        await reach(page, field)
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
        await chooser.setFiles(path)
      },
    }
  },
}

/** A time as it is typed where clocks have twelve hours: `0115PM`. */
function inHalves(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const twoDigits = (n: number) => String(n).padStart(2, '0')
  return `${twoDigits(hour % 12 || 12)}${twoDigits(minute)}${hour < 12 ? 'AM' : 'PM'}`
}

/** Whatever has the focus, or is the text of it. */
const focused = ':focus, :is(a, button, summary):focus *'

/** What is wrong with where the focus is; undefined if it can be seen. Of a long text, only its begin is in sight. */
const faultOfFocus = `(() => {
  const { activeElement: focused } = document
  if (getComputedStyle(focused).outlineStyle === 'none') return 'has no ring'
  const { left, width, top, bottom } = focused.getBoundingClientRect()
  const seen = focused.localName === 'textarea' ? [top + 4] : [top + 4, bottom - 4]
  for (const y of seen) {
    const shown = document.elementFromPoint(left + width / 2, y)
    if (!shown) return 'is out of sight'
    if (!focused.contains(shown) && !shown.contains(focused)) return 'is under ' + shown.outerHTML.slice(0, 100)
  }
})()`

/** Beyond it nobody would go on. */
const maxPresses = 120

/** Presses the tabulator until an element, or what it is the text of, has the focus. @throws Error if it is not in sight then */
async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const found = target.and(page.locator(focused))
  for (let presses = 0; presses < maxPresses; presses += 1) {
    if ((await found.count()) > 0) {
      const fault = await page.evaluate(faultOfFocus)
      if (fault !== undefined) throw new Error(`${String(target)} on ${page.url()} ${fault}`)
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(target)} on ${page.url()} cannot be reached`)
}
