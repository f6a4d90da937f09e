import { useState } from 'preact/hooks'
import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import { labelField } from '../../kit/label-field.ts'
import { say } from '../../kit/language.ts'
import { renameUser } from '../../kit/names.ts'
import { commonTexts } from '../../kit/texts.ts'
import { changeUser } from './change.ts'
import { userTexts } from './texts.ts'

/** The id and the label, which the user of the console can change. */
export function About(props: { user: Schemas['SearchUsersItem']; mayChange: boolean; onChange: () => void }) {
  const {
    user: { id, label },
    mayChange,
    onChange,
  } = props
  const [isOpen, setOpen] = useState(false)
  const change = mayChange && (
    <button type="button" onClick={() => setOpen(true)}>
      {say(userTexts.changeLabel)}
    </button>
  )
  const labelText = label === undefined ? <span class="soft">{say(commonTexts.noLabel)}</span> : <span>{label}</span>
  return (
    <>
      <Facts
        of={[
          [userTexts.id, <Id key="id" value={id} />],
          [
            commonTexts.label,
            <>
              {labelText} {change}
            </>,
          ],
        ]}
      />
      {isOpen && (
        <Dialog title={say(userTexts.changeLabel)} onClose={() => setOpen(false)}>
          <Form
            fields={[labelField]}
            start={{ label }}
            action={say(commonTexts.save)}
            submit={({ label: typed = null }: { label?: string | null }) => changeUser(id, { label: typed })}
            onDone={(changed) => {
              setOpen(false)
              renameUser(id, changed.label)
              onChange()
            }}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  )
}
