import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answered } from './api.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import type { Field } from './form-values.ts'
import { type Calls, canCall } from './session.ts'

/**
 * A button that opens a dialog with a form, for users who may call its operation. `label` is the text of this button and of the submit button. Calls `onDone` or shows
 * `result`.
 */
export function FormButton<Data, Body extends object = Record<string, unknown>>(props: {
  calls: Calls
  label: string
  /** The title of the dialog, if it differs from the label. */
  title?: string
  isPrimary?: boolean
  fields: readonly Field[]
  start?: object | undefined
  submit: (body: Body) => Promise<Answered<Data>>
  onDone?: (data: Data) => void
  /** Renders the response. The form stays open above it and can be sent again. */
  result?: (data: Data) => ComponentChildren
  children?: ComponentChildren
}) {
  const { label, title = label, isPrimary, onDone, result, ...form } = props
  const [isOpen, setOpen] = useState(false)
  const [answer, setAnswer] = useState<Data>()
  const open = () => {
    setAnswer(undefined)
    setOpen(true)
  }
  const done = (data: Data) => {
    setAnswer(() => data)
    if (!result) setOpen(false)
    onDone?.(data)
  }
  if (!canCall(form.calls)) return null
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : ''} onClick={open}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <Form {...form} action={label} onDone={done} onCancel={() => setOpen(false)} />
          {answer !== undefined && result?.(answer)}
        </Dialog>
      )}
    </>
  )
}
