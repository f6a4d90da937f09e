import { useState } from 'preact/hooks'
import { api, callApi } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { useRead } from '../../kit/use-read.ts'
import { AttemptSummary } from './attempts.tsx'
import { webhookTexts } from './texts.ts'

const pollMs = 1_000

/** The result of a test, once it is known. */
export function TestResult({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const [isOver, setOver] = useState(false)
  const { data } = useRead(
    async () => {
      const newest = { path: { webhookId }, query: { order: 'newest', limit: 20 } } as const
      const answered = await callApi(api.GET('/v1/webhooks/{webhookId}/deliveries', { params: newest }))
      if (answered.data?.data.some(({ id, attempts }) => id === deliveryId && attempts.length > 0)) setOver(true)
      return answered
    },
    [deliveryId],
    { everyMs: isOver ? undefined : pollMs },
  )
  const delivery = data?.data.find(({ id }) => id === deliveryId)
  const attempt = delivery?.attempts.at(-1)
  if (!attempt)
    return (
      <p class="note" role="status">
        {say(webhookTexts.testSent)}
      </p>
    )
  const hasArrived = delivery?.status === 'delivered'
  return (
    <div class={hasArrived ? 'note' : 'problem'} role="status">
      <p>
        <strong>{say(hasArrived ? webhookTexts.testArrived : webhookTexts.testFailed)}:</strong>{' '}
        <AttemptSummary attempt={attempt} />
      </p>
      {attempt.answer && <pre class="wrapped">{attempt.answer}</pre>}
    </div>
  )
}
