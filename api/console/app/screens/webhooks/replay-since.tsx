import { useState } from 'preact/hooks'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { readPages } from '../../kit/read-pages.ts'
import { can } from '../../kit/session.ts'
import { webhookTexts } from './texts.ts'

type Replay = Schemas['WebhookDeliveriesRequest']

const fields: readonly Field[] = [
  { name: 'since', label: webhookTexts.since, hint: webhookTexts.sinceHint, kind: 'moment', required: true },
  {
    name: 'status',
    label: webhookTexts.which,
    kind: 'choice',
    required: true,
    choices: [
      { value: 'failed', label: webhookTexts.whichFailed },
      { value: 'delivered', label: webhookTexts.whichDelivered },
      { value: '', label: webhookTexts.whichAll },
    ],
  },
]

const dayMs = 86_400_000

/** Sends all ended deliveries since a time again. */
export function ReplaySince({ webhookId, onDone }: { webhookId: string; onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const [count, setCount] = useState<number>()
  const open = () => {
    setCount(undefined)
    setOpen(true)
  }
  if (!can('replayWebhookDeliveries')) return null
  return (
    <>
      <button type="button" onClick={open}>
        {say(webhookTexts.againSince)}
      </button>
      {isOpen && (
        <Dialog title={say(webhookTexts.againSince)} onClose={() => setOpen(false)}>
          <p>{say(webhookTexts.againText)}</p>
          {count !== undefined && (
            <p class="note" role="status">
              {say(webhookTexts.replayed, { count })}
            </p>
          )}
          <Form
            calls="replayWebhookDeliveries"
            fields={fields}
            start={{ since: new Date(Date.now() - dayMs).toISOString(), status: 'failed' }}
            action={say(webhookTexts.again)}
            // Boundary: the fields build the body of the operation.
            submit={(body) => replayAll(webhookId, body as Replay)}
            onDone={(replayed) => {
              setCount(replayed)
              onDone()
            }}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  )
}

/** Replays all deliveries in steps, because the service accepts a thousand per request. */
async function replayAll(webhookId: string, body: Replay): Promise<Answered<number>> {
  const params = { path: { webhookId } }
  const { data: pages, problem } = await readPages((query) =>
    callApi(api.POST('/v1/webhooks/{webhookId}/replay', { params, body: { ...body, ...query } })),
  )
  if (problem) return { problem }
  return { data: pages.reduce((sum, { replayed }) => sum + replayed, 0) }
}
