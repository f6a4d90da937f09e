import { useEffect, useRef, useState } from 'preact/hooks'
import {
  collectPreAuthorized,
  collectSignedIn,
  type OfferHolder,
  type Received,
} from '../../../../../shared/wallet/collect.ts'
import { configurationOf } from '../../../../../shared/wallet/offer.ts'
import { useAction } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import { attempt } from './attempt.ts'
import { prepareSignIn, type WaitingSignIn, waitForReturn } from './authorization.ts'
import { nameIn } from './names.ts'
import { walletTexts as t } from './texts.ts'

interface CollectingProps {
  holder: OfferHolder
  onReceived: (received: Received) => void
  onCancel: () => void
}

/** The offered credentials, and what the wallet needs to collect one of them. */
export function Collecting(props: CollectingProps) {
  const { holder, onReceived, onCancel } = props
  const { credentials, preAuthorized, metadata } = holder.offer
  const nameOf = (id: string) => nameIn(configurationOf(metadata, id)) ?? id
  const [waiting, setWaiting] = useState<{ signIn: WaitingSignIn; id: string }>()
  const choices = credentials.map(({ id }) => ({ value: id, label: verbatim(nameOf(id)) }))
  const credential: Field = { name: 'id', kind: 'choice', required: true, label: t.credential, choices }
  const hint = preAuthorized?.description ? verbatim(preAuthorized.description) : undefined
  const code: Field = { name: 'code', label: t.code, required: true, ...(hint && { hint }) }
  const codeField = preAuthorized?.needsCode ? { token: 'code' } : undefined
  if (waiting) return <Waiting {...waiting} {...props} />
  return (
    <section>
      <h2>{say(t.offered)}</h2>
      {preAuthorized ? (
        <Form
          calls={[]}
          fields={preAuthorized.needsCode ? [credential, code] : [credential]}
          action={say(t.collect)}
          submit={(typed: { id: string; code?: string }) =>
            attempt(() => collectPreAuthorized(holder, typed.id, typed.code), codeField)
          }
          onDone={onReceived}
          onCancel={onCancel}
        />
      ) : (
        <>
          <p class="soft">{say(t.signInAbout)}</p>
          <Form
            calls="retrieveOAuthClients"
            fields={[credential]}
            action={say(t.signIn)}
            submit={({ id }: { id: string }) =>
              attempt(async () => ({ id, signIn: await prepareSignIn(holder.send, holder.offer, id) }))
            }
            onDone={setWaiting}
            onCancel={onCancel}
          />
        </>
      )}
    </section>
  )
}

/** The link to the sign-in. Continues when the holder returned in the other tab. */
function Waiting({ signIn, id, holder, onReceived }: { signIn: WaitingSignIn; id: string } & CollectingProps) {
  const ended = useRef(new AbortController())
  const act = () => attempt(async () => collectSignedIn(holder, id, await waitForReturn(signIn, ended.current.signal)))
  const { run, problem } = useAction(act, onReceived)
  useEffect(() => {
    void run()
    return () => ended.current.abort()
  }, [])
  return (
    <section>
      <p>{say(t.waiting)}</p>
      <a class="button primary" href={signIn.url} target="_blank" rel="noreferrer">
        {say(t.openSignIn)}
      </a>
      {problem && <ProblemMessage problem={problem} />}
    </section>
  )
}
