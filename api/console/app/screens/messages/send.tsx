import { useState } from 'preact/hooks'
import { type Answered, api, callApi } from '../../kit/api.ts'
import { useDidChoices } from '../../kit/dids.ts'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Loading } from '../../kit/states.tsx'
import { sendTexts as t } from './inbox-texts.ts'

/** The body that the fields build: the request of the encryption. */
interface Typed {
  senderDidUrl: string
  recipientDidUrls: string[]
  payload: { type: string; body: Record<string, unknown> }
}

const start = { payload: { type: 'https://example.org/messages/greeting', body: { text: 'Welcome' } } }

/** Encrypts a message and sends it. */
export function Send() {
  const choices = useDidChoices()
  const [sent, setSent] = useState(0)
  const fields: readonly Field[] = [
    { name: 'senderDidUrl', kind: 'choice', required: true, label: t.sender, choices },
    { name: 'recipientDidUrls', kind: 'lines', rows: 2, required: true, label: t.recipients, hint: t.recipientsHint },
    { name: 'payload.type', required: true, label: t.type },
    { name: 'payload.body', kind: 'json', rows: 5, required: true, label: t.body },
  ]
  // The field of the sender has its first value when the DIDs are known.
  if (choices.length === 0) return <Loading />
  return (
    <>
      <p class="soft">{say(t.about)}</p>
      <Form
        calls={['encryptMessage', 'sendMessage']}
        fields={fields}
        start={start}
        action={say(t.send)}
        submit={send}
        onDone={() => setSent(sent + 1)}
      />
      {sent > 0 && (
        <p key={sent} class="note" role="status">
          {say(t.sent)}
        </p>
      )}
    </>
  )
}

/** Sends one message to each recipient. All recipients can decrypt it. */
async function send({ payload, ...rest }: Typed): Promise<Answered<unknown>> {
  const created_time = Math.floor(Date.now() / 1_000)
  const message = { id: crypto.randomUUID(), from: rest.senderDidUrl, created_time, ...payload }
  const encrypted = await callApi(api.POST('/v1/messaging/encrypt', { body: { ...rest, payload: message } }))
  if (encrypted.problem) return encrypted
  for (const recipient of rest.recipientDidUrls) {
    const body = { to: recipient, message: encrypted.data.jwe }
    const sent = await callApi(api.POST('/v1/messaging/send', { body }))
    if (sent.problem) return sent
  }
  return { data: {} }
}
