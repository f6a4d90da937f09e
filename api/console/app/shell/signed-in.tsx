import { useEffect } from 'preact/hooks'
import { say } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { to } from '../kit/url-state.ts'
import { tellOtherTabs } from './session-news.ts'
import { shellTexts } from './texts.ts'

/** In the tab in which somebody has signed in for another one, which goes on by itself. */
export function SignedIn() {
  useEffect(tellOtherTabs, [])
  return (
    <Screen title={say(shellTexts.signedIn)}>
      <p>{say(shellTexts.closeTab)}</p>
      <a href={to('/')}>{say(shellTexts.toOverview)}</a>
    </Screen>
  )
}
