import type { Schemas } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { numberText, When } from '../../kit/when.tsx'
import { AttemptRequest } from './attempt-request.tsx'
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
export function Attempts({ of, webhookId }: { of: Delivery; webhookId: string }) {
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
            <AttemptRequest path={{ webhookId, deliveryId: of.id, attemptId: attempt.id }} />
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
