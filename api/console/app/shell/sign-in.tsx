import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { api, ask, isSignedOut } from '../kit/api.ts'
import { Dialog, useAction } from '../kit/dialog.tsx'
import { FieldInput } from '../kit/form.tsx'
import { say } from '../kit/language.ts'
import { session, signIn } from '../kit/session.ts'
import { Trouble } from '../kit/states.tsx'
import { useRead } from '../kit/use-read.ts'
import { arrive, arriveAgain, refusal } from './arrival.ts'
import { ProviderButton, ProviderTabButton } from './provider-button.tsx'
import { useSessionNews } from './session-news.ts'
import { shellTexts } from './texts.ts'

/** True once it is known who is signed in. */
export function useFirstSession(): boolean {
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    void arrive().finally(() => setKnown(true))
    addEventListener('hashchange', arriveAgain)
    return () => removeEventListener('hashchange', arriveAgain)
  }, [])
  return isKnown
}

/** How one can sign in here, besides by id and secret. */
function useWaysIn() {
  return useRead(() => ask(api.GET('/console/session/provider')), []).data
}

/** What stands at every address of the console while nobody is signed in. */
export function SignInScreen() {
  const ways = useWaysIn()
  useSessionNews()
  useEffect(() => {
    document.title = `${say(shellTexts.signIn)} · Trustwright`
  })
  return (
    <main id="main" class="sign-in">
      <h1>{say(shellTexts.signIn)}</h1>
      {ways && <p class="soft">{ways.tenantName}</p>}
      <Refusal />
      <Ways button={ways?.provider && <ProviderButton name={ways.provider.name} />} />
    </main>
  )
}

function Refusal() {
  const why = refusal.value
  if (!why) return null
  if ('kind' in why) return <Trouble problem={why} />
  return (
    <p class="trouble" role="alert">
      {say(why)}
    </p>
  )
}

/** Over the screen whose session has ended, so that what was typed there stays. */
export function SignInDialog() {
  const ways = useWaysIn()
  useSessionNews()
  return (
    <Dialog title={say(shellTexts.signInAgain)}>
      <p>{say(shellTexts.sessionEnded)}</p>
      <Ways
        button={ways?.provider && <ProviderTabButton name={ways.provider.name} />}
        clientId={session.value?.clientId}
      />
    </Dialog>
  )
}

/** The provider first where there is one: most people have no client. */
function Ways({ button, clientId }: { button: ComponentChildren; clientId?: string | undefined }) {
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
      {problem && !isWrong && <Trouble problem={problem} />}
      <div class="actions">
        <button type="submit" class={isSecond ? '' : 'primary'} disabled={isBusy}>
          {say(shellTexts.signIn)}
        </button>
      </div>
    </form>
  )
}
