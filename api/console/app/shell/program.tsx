import { api, callApi } from '../kit/api.ts'
import { useAction } from '../kit/dialog.tsx'
import { Section } from '../kit/elements.tsx'
import { say } from '../kit/language.ts'
import { Screen } from '../kit/screen.tsx'
import { session } from '../kit/session.ts'
import { ProblemMessage } from '../kit/states.tsx'
import { commonTexts } from '../kit/texts.ts'
import { useQuery } from '../kit/url-state.ts'
import { programTexts } from './program-texts.ts'

/** Asks the operator whether a program on this computer may act in their name, and takes the browser back to the program. */
export default function ProgramSignIn() {
  const [{ port = '', challenge = '', state = '' }] = useQuery()
  const back = (parameters: Record<string, string>) =>
    location.replace(`http://127.0.0.1:${port}/?${new URLSearchParams({ ...parameters, state })}`)
  const { run, problem, isBusy } = useAction(
    () =>
      callApi(api.POST('/console/program-codes', { body: { challenge }, params: { header: { 'X-Console': '1' } } })),
    ({ code }) => back({ code }),
  )
  const isValid = /^[1-9]\d{3,4}$/.test(port) && Number(port) < 65_536 && /^[\w-]{43}$/.test(challenge)
  const { name = '', roles = [] } = session.value ?? {}
  return (
    <Screen title={say(programTexts.title)}>
      {isValid ? (
        <Section title={say(programTexts.question)}>
          <p>{say(programTexts.what, { name, roles: roles.join(', ') })}</p>
          <p class="note">{say(programTexts.warning)}</p>
          {problem && <ProblemMessage problem={problem} />}
          <div class="actions">
            <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
              {say(programTexts.allow)}
            </button>
            <button type="button" onClick={() => back({ error: 'access_denied' })}>
              {say(commonTexts.cancel)}
            </button>
          </div>
        </Section>
      ) : (
        <p class="problem">{say(programTexts.invalid)}</p>
      )}
    </Screen>
  )
}
