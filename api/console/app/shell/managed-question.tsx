import { Dialog } from '../kit/dialog.tsx'
import { say } from '../kit/language.ts'
import { waitingChange } from '../kit/managed.ts'
import { ManagedMark } from '../kit/managed-mark.tsx'
import { managedTexts } from '../kit/managed-texts.ts'
import { commonTexts } from '../kit/texts.ts'

/** Asks before a request changes an object that configuration files manage. */
export function ManagedQuestion() {
  const change = waitingChange.value
  if (!change) return null
  const { object, answer } = change
  return (
    <Dialog title={say(managedTexts.confirmTitle)} onClose={() => answer(false)}>
      <ManagedMark resource={object.resource ?? ''} />
      <div class="actions">
        <button type="button" class="primary" onClick={() => answer(true)}>
          {say(managedTexts.confirm)}
        </button>
        <button type="button" class="cancel" onClick={() => answer(false)}>
          {say(commonTexts.cancel)}
        </button>
      </div>
    </Dialog>
  )
}
