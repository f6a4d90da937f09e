import { useEffect, useState } from 'preact/hooks'
import { isSignedOut } from '../kit/api.ts'
import { Dialog, useAction } from '../kit/dialog.tsx'
import { FieldInput } from '../kit/form.tsx'
import { say } from '../kit/language.ts'
import { loadSession, session, signIn } from '../kit/session.ts'
import { Trouble } from '../kit/states.tsx'
import { shellTexts } from './texts.ts'

/** Whether the link that brought somebody here was good for nothing any more. */
let hasEndedLink = false

/** Signs in by the one-time link where there is one (`#code=`), else finds out who is signed in. True once that is known. */
export function useFirstSession(): boolean {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    void begin().finally(() => setKnown(true))
  }, [])
  return isKnown
}

async function begin(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) {
    await loadSession()
    return
  }
  // It is of no use to anybody who reads the history.
  history.replaceState(null, '', location.pathname + location.search)
  const { problem } = await signIn({ code })
  if (!problem) return
  const { data } = await loadSession()
  hasEndedLink = data === undefined
}

/** What stands at every address of the console while nobody is signed in. */
export function SignInScreen() {
  useEffect(() => {
    document.title = `${say(shellTexts.signIn)} · Trustwright`
  })
  return (
    <main id="main" class="sign-in">
      <h1>{say(shellTexts.signIn)}</h1>
      {hasEndedLink && (
        <p class="trouble" role="alert">
          {say(shellTexts.linkEnded)}
        </p>
      )}
      <SignInForm />
    </main>
  )
}

/** Over the screen whose session has ended, so that what was typed there stays. */
export function SignInDialog() {
  return (
    <Dialog title={say(shellTexts.signInAgain)}>
      <p>{say(shellTexts.sessionEnded)}</p>
      <SignInForm clientId={session.value?.clientId} />
    </Dialog>
  )
}

function SignInForm({ clientId: former = '' }: { clientId?: string | undefined }) {
  const [clientId, setClientId] = useState(former)
  const [clientSecret, setClientSecret] = useState('')
  const { run, problem, isBusy } = useAction(signIn, () => {
    isSignedOut.value = false
  })
  const send = (event: Event) => {
    event.preventDefault()
    void run({ clientId: clientId.trim(), clientSecret: clientSecret.trim() })
  }
  const isWrong = problem?.kind === 'forbidden' || problem?.kind === 'signedOut'
  return (
    <form class="fields" onSubmit={send}>
      <p class="soft">{say(shellTexts.signInAdvice)}</p>
      <FieldInput
        field={{ name: 'clientId', label: shellTexts.clientId, required: true }}
        value={clientId}
        fault={undefined}
        onChange={(value) => setClientId(String(value))}
      />
      <FieldInput
        field={{ name: 'clientSecret', label: shellTexts.clientSecret, kind: 'secret', required: true }}
        value={clientSecret}
        fault={isWrong ? say(shellTexts.wrongClient) : undefined}
        onChange={(value) => setClientSecret(String(value))}
      />
      {problem && !isWrong && <Trouble problem={problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {say(shellTexts.signIn)}
        </button>
      </div>
    </form>
  )
}
