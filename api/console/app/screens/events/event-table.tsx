import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge, type Mood } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { to } from '../../kit/url-state.ts'
import { numberText, When } from '../../kit/when.tsx'
import { type Outcome, partsOf } from './outcomes.ts'
import { sentenceOf } from './sentences.ts'
import { eventTexts } from './texts.ts'
import './events.css'

export type Event = Schemas['Event']

const moods: Record<Outcome, Mood> = { start: 'quiet', success: 'good', fail: 'bad', audit: 'warn' }

/** Events as sentences, with one row for each request unless all events are shown. */
export function EventTable({ of, showsAll }: { of: readonly Event[]; showsAll: boolean }) {
  const rows = showsAll ? of : withoutOwnAudit(of)
  return <Table caption={eventTexts.events} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

/** The audit entry of a request on the same page is part of its request. */
function withoutOwnAudit(events: readonly Event[]): readonly Event[] {
  const requests = new Set(events.filter(({ category }) => category !== 'AUDIT').map(({ requestId }) => requestId))
  return events.filter(({ category, requestId }) => category !== 'AUDIT' || !requests.has(requestId))
}

export function OutcomeBadge({ type }: { type: string }) {
  const { outcome } = partsOf(type)
  return outcome ? <Badge mood={moods[outcome]}>{say(eventTexts[outcome])}</Badge> : null
}

/** Shows the actor: a client, a person or a wallet. */
function Who({ of: { clientId, managementUserId, walletClientId } }: { of: Event }) {
  if (managementUserId) return <Id value={managementUserId} href={to('/events', { person: managementUserId })} />
  if (clientId) return <Named kind="client" id={clientId} href={to('/events', { clientId })} />
  return walletClientId ? <Id value={walletClientId} /> : null
}

const columns: readonly Column<Event>[] = [
  {
    head: eventTexts.event,
    cell: ({ id, type }) => (
      <span class="event">
        <a href={to(`/events/${id}`)} title={type}>
          {sentenceOf(partsOf(type).name)}
        </a>{' '}
        <OutcomeBadge type={type} />
      </span>
    ),
  },
  { head: eventTexts.when, cell: ({ timestamp }) => <When at={timestamp} /> },
  {
    head: eventTexts.duration,
    cell: ({ durationMs }) => durationMs !== undefined && `${numberText(durationMs)} ms`,
    isNumber: true,
  },
  { head: eventTexts.who, cell: (event) => <Who of={event} /> },
  {
    head: eventTexts.request,
    cell: ({ requestId }) => <Id value={requestId} href={to('/events', { requestId })} />,
  },
]
