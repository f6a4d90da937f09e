import { useEffect } from 'preact/hooks'
import { say } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { to } from '../kit/url-state.ts'
import { notifyOtherTabs } from './session-updates.ts'
import { shellTexts } from './texts.ts'

/** The screen of the tab in which the user signed in for another tab. The other tab continues automatically. */
export function SignedIn() {
  useEffect(notifyOtherTabs, [])
  return (
    <Screen title={say(shellTexts.signedIn)}>
      <p>{say(shellTexts.closeTab)}</p>
      <a href={to('/')}>{say(shellTexts.toOverview)}</a>
    </Screen>
  )
}
