import { signal } from '@preact/signals'
import type { JSX } from 'preact'

/** The message of the last action that can be undone. The screens bring its code, so that the first view loads without it. */
export const undoMessage = signal<JSX.Element | undefined>(undefined)

/** The place of the message. It is always in the page, so that screen readers announce the message. */
export function UndoPlace() {
  return (
    <div class="undo-place" role="status">
      {undoMessage.value}
    </div>
  )
}
