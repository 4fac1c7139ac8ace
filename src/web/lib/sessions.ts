import { all } from './page.ts'
import { readPage } from './region.ts'

/** As long as nobody has changed the end of a session, it moves with the start, and is sent as it is shown. */
export function startEnds(): void {
  for (const pair of all('[data-moves-end]')) {
    const [start, end] = all<HTMLInputElement>('input', pair)
    if (!start || !end) continue
    const length = msOf(end) - msOf(start)
    if (Number.isNaN(length)) continue
    const shown = document.createElement('input')
    Object.assign(shown, { type: 'hidden', name: 'shows_end', value: 'true' })
    pair.append(shown)
    const move = () => {
      const at = new Date(msOf(start) + length)
      end.value = Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 16)
    }
    start.addEventListener('input', move)
    end.addEventListener(
      'input',
      () => {
        start.removeEventListener('input', move)
        pair.querySelector('.hint')?.remove()
      },
      { once: true },
    )
  }
}

/** A time by the clocks at the conference, as if they were those of UTC. */
const msOf = ({ value }: HTMLInputElement): number => Date.parse(`${value}Z`)

/** Says at once what a session clashes with where it may move, and which rooms are free then. */
export function startMoves(): void {
  for (const form of all<HTMLFormElement>('form.move')) {
    const clashes = form.querySelector<HTMLElement>('#clashes')
    const look = form.querySelector<HTMLElement>('[formmethod=get]')?.parentElement
    const fields = all<HTMLInputElement | HTMLSelectElement>('.field :is(input, select)', form)
    const room = form.querySelector('select[name=room_id]')
    if (!clashes || !look || !room) continue
    let latest = ''
    look.hidden = true
    form.addEventListener('change', async () => {
      const query = new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString()
      latest = query
      clashes.ariaBusy = 'true'
      try {
        const page = await readPage(`${form.action}?${query}`)
        const [found, rooms] = [page?.getElementById('clashes'), page?.getElementById(room.id)]
        if (!found || !rooms) throw new Error('The page does not say what clashes.')
        if (query !== latest) return
        clashes.replaceChildren(...found.childNodes)
        room.replaceChildren(...rooms.childNodes)
      } catch {
        if (query !== latest) return
        const notice = document.createElement('p')
        notice.className = 'notice warn'
        notice.textContent = clashes.dataset.failed ?? ''
        clashes.replaceChildren(notice)
        look.hidden = false
      }
      clashes.ariaBusy = null
    })
  }
}
