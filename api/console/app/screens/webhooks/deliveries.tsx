import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { useAction } from '../../kit/dialog.tsx'
import { Badge, type Mood, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { can } from '../../kit/session.ts'
import { Empty, ProblemMessage } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, ShortTime } from '../../kit/when.tsx'
import { Attempts, type Delivery } from './attempts.tsx'
import { wordsOf } from './fields.ts'
import { ReplaySince } from './replay-since.tsx'
import { webhookTexts } from './texts.ts'

const states = ['pending', 'delivered', 'failed'] as const satisfies readonly Delivery['status'][]
const moods: Record<Delivery['status'], Mood> = { pending: 'warn', delivered: 'good', failed: 'bad' }

/** The deliveries of a webhook, the newest first, with a button to send them again. */
export function Deliveries({ webhook }: { webhook: Schemas['Webhook'] }) {
  const [query, change] = useQuery()
  const status = states.find((each) => each === query.status)
  const cursor = query.cursor
  const deliveries = useRead(
    () => callApi(api.GET('/v1/webhooks/{webhookId}/deliveries', { params: paramsOf(webhook.id, status, cursor) })),
    [webhook.id, status, cursor],
    { everyMs: 3_000 },
  )
  const { run, problem } = useAction(
    (deliveryId: string) =>
      callApi(
        api.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
          params: { path: { webhookId: webhook.id, deliveryId } },
        }),
      ),
    () => void deliveries.reload(),
  )
  return (
    <Section
      title={say(webhookTexts.deliveries)}
      actions={!webhook.disabled && <ReplaySince webhookId={webhook.id} onDone={() => void deliveries.reload()} />}
    >
      <StatusFilter status={status} onChange={(next) => change({ status: next })} />
      {problem && <ProblemMessage problem={problem} />}
      <PagedTable
        of={deliveries}
        caption={webhookTexts.deliveries}
        keyOf={({ id }) => id}
        columns={columnsOf(webhook, (deliveryId) => void run(deliveryId))}
        empty={<Empty>{say(status ? webhookTexts.noneSuch : webhookTexts.noDeliveries)}</Empty>}
      />
    </Section>
  )
}

function StatusFilter(props: { status: Delivery['status'] | undefined; onChange: (status: string) => void }) {
  const { status, onChange } = props
  return (
    <div class="filters">
      <label>
        {say(commonTexts.state)}
        <select value={status ?? ''} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">{say(commonTexts.all)}</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {say(webhookTexts[each])}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function columnsOf(webhook: Schemas['Webhook'], replay: (deliveryId: string) => void): readonly Column<Delivery>[] {
  return [
    { head: webhookTexts.happened, cell: ({ eventAt }) => <ShortTime at={eventAt} /> },
    {
      head: commonTexts.state,
      cell: ({ status }) => <Badge mood={moods[status]}>{say(webhookTexts[status])}</Badge>,
    },
    {
      head: webhookTexts.event,
      cell: ({ type, eventId }) => (
        <>
          {say(wordsOf(type))} <Id value={eventId} />
        </>
      ),
    },
    {
      head: webhookTexts.attempts,
      cell: (row) => <Attempts of={row} webhookId={webhook.id} />,
    },
    { head: webhookTexts.nextAttempt, cell: ({ nextAttemptAt }) => <Ago at={nextAttemptAt} /> },
    {
      head: commonTexts.actions,
      cell: (row) =>
        row.status !== 'pending' &&
        !webhook.disabled &&
        can('replayWebhookDelivery') && (
          <button type="button" class="plain" onClick={() => replay(row.id)}>
            {say(webhookTexts.again)}
          </button>
        ),
    },
  ]
}

function paramsOf(webhookId: string, status: Delivery['status'] | undefined, cursor: string | undefined) {
  const query = { order: 'newest', limit: 20, ...(status && { status }), ...(cursor && { cursor }) } as const
  return { path: { webhookId }, query }
}
