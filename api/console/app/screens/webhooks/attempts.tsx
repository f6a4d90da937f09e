import type { Schemas } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { numberText, When } from '../../kit/when.tsx'
import { webhookTexts } from './texts.ts'

export type Delivery = Schemas['WebhookDelivery']
type Attempt = Delivery['attempts'][number]

/** The result of an attempt in one line. */
export function AttemptSummary({ attempt: { status, durationMs, error = '' } }: { attempt: Attempt }) {
  const ms = numberText(durationMs)
  return (
    <>
      {say(status === undefined ? webhookTexts.unanswered : webhookTexts.answered, { status: status ?? '', ms, error })}
    </>
  )
}

/** The attempts, each with request and response as text. */
export function Attempts({ of, webhook }: { of: Delivery; webhook: { id: string; url: string } }) {
  if (of.attempts.length === 0) return <>{say(webhookTexts.noAttempts)}</>
  return (
    <details>
      <summary>
        {numberText(of.attempts.length)} · <AttemptSummary attempt={of.attempts.at(-1) as Attempt} />
      </summary>
      <ol class="attempts">
        {of.attempts.map((attempt) => (
          <li key={attempt.id}>
            <p>
              <When at={attempt.at} /> · <AttemptSummary attempt={attempt} />
            </p>
            <details>
              <summary>{say(webhookTexts.request)}</summary>
              <pre class="wrapped">{requestText(of, attempt, webhook)}</pre>
              <p class="soft">{say(webhookTexts.requestText)}</p>
            </details>
            {attempt.answer && (
              <>
                <p class="soft">{say(webhookTexts.answer)}</p>
                <pre class="wrapped">{attempt.answer}</pre>
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  )
}

function requestText({ eventId, type, eventAt }: Delivery, attempt: Attempt, { id, url }: { id: string; url: string }) {
  const event = { id: eventId, type, timestamp: eventAt, payload: '…' }
  const body = { deliveryId: attempt.id, deliveryTimestamp: attempt.at, webhookId: id, event }
  return [
    `POST ${url}`,
    'content-type: application/json',
    `webhook-id: ${eventId}`,
    `webhook-timestamp: ${Math.floor(Date.parse(attempt.at) / 1000)}`,
    `x-mattr-event-type: ${type}`,
    `x-mattr-webhook-id: ${id}`,
    'signature: …',
    '',
    JSON.stringify(body, undefined, 2),
  ].join('\n')
}
