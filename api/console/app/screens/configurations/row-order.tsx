import { say } from '../../kit/language.ts'
import { configurationTexts as own } from './texts.ts'

export interface Ordered {
  /** Identifies the row while it is dragged. */
  dragKey: string
  isFirst: boolean
  isLast: boolean
  step: (by: -1 | 1) => void
  /** Takes a dragged row, by its key. */
  drop: (key: string) => void
}

/** The type of the dragged data. Other dragged data, such as a text, is not a row. */
const rowType = 'application/x-claim-row'

/** The attributes of a row that moves by Alt+Up and Alt+Down, and that takes a dragged row. */
export function dropping({ step, drop }: Ordered) {
  return {
    onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
      const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
      if (!by || !event.altKey) return
      event.preventDefault()
      const focused = document.activeElement
      step(by)
      // Moving an element in the document removes the focus from it. The next microtask comes after the render.
      queueMicrotask(() => focused instanceof HTMLElement && focused.focus())
    },
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer?.types.includes(rowType)) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const key = event.dataTransfer?.getData(rowType)
      if (!key) return
      event.preventDefault()
      drop(key)
    },
  }
}

/** The buttons of a row: a handle to drag it, up, down and remove. */
export function RowButtons(props: Ordered & { called: string; remove: () => void }) {
  const { dragKey, isFirst, isLast, called, step, remove } = props
  const drag = (event: DragEvent) => event.dataTransfer?.setData(rowType, dragKey)
  const button = (label: string, sign: string, act: () => void, isOff = false) => (
    <button type="button" class="plain" aria-label={`${label}: ${called}`} aria-disabled={isOff} onClick={act}>
      {sign}
    </button>
  )
  return (
    <span class="row-buttons">
      <span class="handle" draggable onDragStart={drag} aria-hidden="true">
        ⠿
      </span>
      {button(say(own.moveUp), '↑', () => step(-1), isFirst)}
      {button(say(own.moveDown), '↓', () => step(1), isLast)}
      {button(say(own.removeIt), '✕', remove)}
    </span>
  )
}
