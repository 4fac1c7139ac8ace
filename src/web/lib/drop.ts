import { all } from './page.ts'

/** Shows the picture that was chosen for an input, and lets one be dropped on the element marked `data-drop` around it. */
export function startDrop(): void {
  for (const area of all('[data-drop]')) {
    const input = area.querySelector<HTMLInputElement>('input[type="file"]')
    if (!input) continue
    const preview = document.createElement('img')
    preview.alt = ''
    preview.hidden = true
    area.append(preview)
    input.addEventListener('change', () => {
      URL.revokeObjectURL(preview.src)
      const [file] = input.files ?? []
      preview.hidden = !file?.type.startsWith('image/')
      if (file && !preview.hidden) preview.src = URL.createObjectURL(file)
    })
    // Of a file that is no picture, whatever its type says.
    preview.addEventListener('error', () => {
      preview.hidden = true
    })
    const mark = (isOver: boolean) => (event: DragEvent) => {
      event.preventDefault()
      area.classList.toggle('over', isOver)
    }
    area.addEventListener('dragover', mark(true))
    area.addEventListener('dragleave', mark(false))
    area.addEventListener('drop', (event) => {
      mark(false)(event)
      const files = event.dataTransfer?.files
      if (!files?.length) return
      input.files = files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
  }
}
