import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Answered } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import type { Field, Typed } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import type { Calls } from '../../kit/session.ts'
import { commonTexts } from '../../kit/texts.ts'
import type { Reading } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { settingTexts } from './texts.ts'

/** The ETag and the callbacks with which the form of a version saves it. */
export interface FormOfVersion {
  etag: string | undefined
  onSaved: () => void
  onTheirs: () => void
}

/** Shows the form of the current version, and that it was saved. */
export function SavedVersions<Data>({
  of,
  children,
}: {
  of: Reading<Data>
  children: (data: Data, form: FormOfVersion) => ComponentChildren
}) {
  const [isSaved, setSaved] = useState(false)
  return (
    <>
      {isSaved && (
        <p class="note" role="status">
          {say(commonTexts.saved)}
        </p>
      )}
      <Versioned of={of}>
        {(data, etag, showTheirs) => {
          const onSaved = () => {
            setSaved(true)
            showTheirs()
          }
          return children(data, { etag, onSaved, onTheirs: showTheirs })
        }}
      </Versioned>
    </>
  )
}

/** A form of settings with a preview of the branding that the user types. */
export function BrandedForm<Data>(props: {
  calls: Calls
  fields: readonly Field[]
  start: object
  /** The name that is stored. */
  name: string
  submit: (body: Record<string, unknown>) => Promise<Answered<Data>>
  onSaved: () => void
  onTheirs: () => void
  /** A second button that tests the typed values. */
  trying?: { label: string; act: (body: Record<string, unknown>) => void }
}) {
  const { calls, fields, start, name, submit, onSaved, onTheirs, trying } = props
  const [typed, setTyped] = useState<Typed>({})
  const text = (member: string) => String(typed[member] ?? '')
  return (
    <div class="with-preview">
      <Form
        calls={calls}
        {...{ fields, start, submit, onTheirs, ...(trying && { trying }) }}
        action={say(commonTexts.save)}
        onDone={onSaved}
        onTyped={setTyped}
      />
      <BrandingPreview
        name={text('name') || name}
        background={text('branding.backgroundColor')}
        accent={text('branding.accentColor')}
        note={text('branding.logoUrl') ? say(settingTexts.logoLater) : undefined}
      />
    </div>
  )
}
