import { useState } from 'preact/hooks'
import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Facts } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import { labelField } from '../../kit/label-field.ts'
import { say } from '../../kit/language.ts'
import { renameUser } from '../../kit/names.ts'
import { can } from '../../kit/session.ts'
import { commonTexts } from '../../kit/texts.ts'
import { changeUser } from './change.ts'
import { userTexts } from './texts.ts'

/** The id and the label, which the user of the console can change. */
export function About(props: { user: Schemas['SearchUsersItem']; onChange: () => void }) {
  const {
    user: { id, label },
    onChange,
  } = props
  const [isOpen, setOpen] = useState(false)
  // The form sends the label alone, so that the service keeps the claims. This needs the permission to read them.
  const change = can('updateUser', 'users:read') && (
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
            calls={['updateUser', 'users:read']}
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
