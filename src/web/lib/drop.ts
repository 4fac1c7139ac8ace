import { all } from './page.ts'

export const fileFieldOf = (element: ParentNode): HTMLInputElement | null => element.querySelector('input[type=file]')

const areaOf = ({ target }: Event): HTMLElement | null | undefined =>
  (target as Element).closest?.<HTMLElement>('[data-drop]')

/**
 * Lets files be dropped on an element marked `data-drop` around an input for them, and shows the picture that was chosen.
 * Forms may come later, so the document listens.
 */
export function startDrop(): void {
  for (const type of ['dragover', 'dragleave', 'drop'] as const) document.addEventListener(type, drop)
  document.addEventListener('change', (event) => {
    const area = areaOf(event)
    const input = area && fileFieldOf(area)
    if (input && event.target === input) showPicture(area, input)
  })
}

/** Files that are dropped beside an element for them would replace the page. */
function drop(event: DragEvent): void {
  const area = areaOf(event)
  for (const other of all('[data-drop].over')) other.classList.remove('over')
  if (!event.dataTransfer?.types.includes('Files') || all('[data-drop]').length === 0) return
  if (event.type !== 'dragleave') event.preventDefault()
  const input = area && fileFieldOf(area)
  if (!input) return
  area.classList.toggle('over', event.type === 'dragover')
  if (event.type !== 'drop' || event.dataTransfer.files.length === 0) return
  input.files = event.dataTransfer.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

function showPicture(area: HTMLElement, input: HTMLInputElement): void {
  let preview = area.querySelector('img')
  if (!preview) {
    preview = document.createElement('img')
    preview.alt = ''
    // Of a file that is no picture, whatever its type says.
    preview.addEventListener('error', ({ currentTarget }) => {
      ;(currentTarget as HTMLElement).hidden = true
    })
    area.append(preview)
  }
  URL.revokeObjectURL(preview.src)
  const [file] = input.files ?? []
  preview.hidden = !file?.type.startsWith('image/')
  if (file && !preview.hidden) preview.src = URL.createObjectURL(file)
}
