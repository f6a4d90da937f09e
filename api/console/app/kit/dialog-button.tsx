import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

/** A button that opens a dialog. Renders the content when the dialog opens. */
export function DialogButton(props: {
  label: string
  title: string
  /** Whether the button looks like a link, for rows of tables. */
  isLink?: boolean
  children: (close: () => void) => ComponentChildren
}) {
  const { label, title, isLink, children } = props
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" class={isLink ? 'plain link' : ''} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  )
}
