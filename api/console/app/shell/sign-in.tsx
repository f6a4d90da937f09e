import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, callApi, isSignedOut } from '../kit/api.ts'
import { Dialog, useAction } from '../kit/dialog.tsx'
import { FieldInput } from '../kit/form.tsx'
import { say } from '../kit/language.ts'
import { session, signIn } from '../kit/session.ts'
import { ProblemMessage } from '../kit/states.tsx'
import { useRead } from '../kit/use-read.ts'
import { arrive, arriveAgain, refusal } from './arrival.ts'
import { ProviderButton, ProviderTabButton } from './provider-button.tsx'
import { useSessionUpdates } from './session-updates.ts'
import { shellTexts } from './texts.ts'

/** Returns true once the first session request has finished. */
export function useFirstSession(): boolean {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    void arrive().finally(() => setKnown(true))
    addEventListener('hashchange', arriveAgain)
    return () => removeEventListener('hashchange', arriveAgain)
  }, [])
  return isKnown
}

/** Reads the sign-in provider of this host. */
function useSignInMethods() {
  return useRead(() => callApi(api.GET('/console/session/provider')), []).data
}

/** The screen at every address of the console while no user is signed in. */
export function SignInScreen() {
  const methods = useSignInMethods()
  useSessionUpdates()
  useEffect(() => {
    document.title = `${say(shellTexts.signIn)} · Trustwright`
  })
  return (
    <main id="main" class="sign-in">
      <h1>{say(shellTexts.signIn)}</h1>
      {methods && <p class="soft">{methods.tenantName}</p>}
      <Refusal />
      <SignInMethods button={methods?.provider && <ProviderButton name={methods.provider.name} />} />
    </main>
  )
}

function Refusal() {
  const why = refusal.value
  if (!why) return null
  if ('kind' in why) return <ProblemMessage problem={why} />
  return (
    <p class="problem" role="alert">
      {say(why)}
    </p>
  )
}

/** The dialog above a screen whose session has ended. Input on the screen stays. */
export function SignInDialog() {
  const methods = useSignInMethods()
  useSessionUpdates()
  return (
    <Dialog title={say(shellTexts.signInAgain)}>
      <p>{say(shellTexts.sessionEnded)}</p>
      <SignInMethods
        button={methods?.provider && <ProviderTabButton name={methods.provider.name} />}
        clientId={session.value?.clientId}
      />
    </Dialog>
  )
}

/** Shows the provider first, because most users have no client. */
function SignInMethods({ button, clientId }: { button: ComponentChildren; clientId?: string | undefined }) {
  return (
    <>
      {button && (
        <>
          {button}
          <p class="or">{say(shellTexts.or)}</p>
        </>
      )}
      <SignInForm clientId={clientId} isSecond={!!button} />
    </>
  )
}

function SignInForm({ clientId: former = '', isSecond }: { clientId?: string | undefined; isSecond: boolean }) {
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
      {problem && !isWrong && <ProblemMessage problem={problem} />}
      <div class="actions">
        <button type="submit" class={isSecond ? '' : 'primary'} disabled={isBusy}>
          {say(shellTexts.signIn)}
        </button>
      </div>
    </form>
  )
}
