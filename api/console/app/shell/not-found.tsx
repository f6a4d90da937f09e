import { say } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { to } from '../kit/url-state.ts'
import { shellTexts } from './texts.ts'

export function NotFound() {
  return (
    <Screen title={say(shellTexts.notFound)}>
      <p>
        <a href={to('/')}>{say(shellTexts.toOverview)}</a>
      </p>
    </Screen>
  )
}
