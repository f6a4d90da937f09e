import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answered } from './api.ts'
import { Dialog } from './dialog.tsx'
import { Form } from './form.tsx'
import type { Field } from './form-values.ts'

/** A button that opens a dialog with a form; `label` is what the button says, and the one that sends it. */
export function FormButton<Data, Body extends object = Record<string, unknown>>(props: {
  label: string
  /** Of the dialog, where it says more than the button. */
  title?: string
  isPrimary?: boolean
  fields: readonly Field[]
  start?: object | undefined
  submit: (body: Body) => Promise<Answered<Data>>
  onDone: (data: Data) => void
  children?: ComponentChildren
}) {
  const { label, title = label, isPrimary, onDone, ...form } = props
  const [isOpen, setOpen] = useState(false)
  const done = (data: Data) => {
    setOpen(false)
    onDone(data)
  }
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : ''} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <Form {...form} action={label} onDone={done} onCancel={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}
