import { say, type Text } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { session } from '../kit/session.ts'
import { shellTexts } from './texts.ts'

/** The screen for users who may not open a screen of the area. Names the permissions that they lack, and their roles. */
export function Refused({ title, lacking }: { title: Text; lacking: readonly string[] }) {
  const roles = session.value?.roles.join(', ') ?? ''
  return (
    <Screen title={say(title)}>
      <p class="problem forbidden" role="alert">
        {say(shellTexts.refused, { roles, permissions: lacking.join(', ') })}
      </p>
    </Screen>
  )
}
