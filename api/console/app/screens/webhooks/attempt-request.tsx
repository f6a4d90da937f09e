import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { CopyButton } from '../../kit/copy.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { webhookTexts } from './texts.ts'

type Path = { webhookId: string; deliveryId: string; attemptId: string }

/** The request of an attempt. It is read when it is opened, because it can contain personal data. */
export function AttemptRequest({ path }: { path: Path }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say(webhookTexts.request)}</summary>
      {isOpen && <Parts path={path} />}
    </details>
  )
}

function Parts({ path }: { path: Path }) {
  const request = useRead(
    () =>
      callApi(
        api.GET('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/attempts/{attemptId}', {
          params: { path },
        }),
      ),
    [path.attemptId],
  )
  return <Shown of={request}>{(current) => <Recorded request={current} />}</Shown>
}

function Recorded({ request }: { request: Schemas['WebhookAttemptRequest'] }) {
  const { method, url, headers, signatureBase, body } = request
  if (!url || !headers || !signatureBase) return <p class="soft">{say(webhookTexts.notRecorded)}</p>
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  return (
    <>
      <Part label={say(webhookTexts.headers)} text={lines.join('\n')} />
      {body === undefined ? (
        <p class="soft">{say(webhookTexts.bodyGone)}</p>
      ) : (
        <Part label={say(webhookTexts.body)} text={body} />
      )}
      <Part label={say(webhookTexts.signatureBase)} text={signatureBase} />
      <p class="soft">{say(webhookTexts.signatureBaseText)}</p>
    </>
  )
}

function Part({ label, text }: { label: string; text: string }) {
  return (
    <>
      <p class="soft">
        {label} <CopyButton text={text} label={label} />
      </p>
      <pre class="wrapped">{text}</pre>
    </>
  )
}
