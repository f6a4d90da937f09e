import type { Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge, type Mood } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { type Column, Table } from '../../kit/table.tsx'
import { to } from '../../kit/url-state.ts'
import { numberText, ShortTime } from '../../kit/when.tsx'
import { type Outcome, partsOf } from './outcomes.ts'
import { eventTexts } from './texts.ts'
import { useSentence } from './use-sentence.ts'

export type Event = Schemas['Event']

const moods: Record<Outcome, Mood> = { start: 'quiet', success: 'good', fail: 'bad', audit: 'warn' }

/** Events as sentences, with one row for each request unless all events are shown. */
export function EventTable({ of, showsAll }: { of: readonly Event[]; showsAll: boolean }) {
  const rows = showsAll ? of : withoutOwnAudit(of)
  return <Table caption={eventTexts.events} columns={columns} rows={rows} keyOf={({ id }) => id} />
}

/** The audit entry of a request on the same page is part of its request, which gets the data of the entry. */
function withoutOwnAudit(events: readonly Event[]): readonly Event[] {
  const requests = new Set(events.filter(({ category }) => category !== 'AUDIT').map(({ requestId }) => requestId))
  const audits = new Map(events.filter(({ category }) => category === 'AUDIT').map((each) => [each.requestId, each]))
  return events
    .filter(({ category, requestId }) => category !== 'AUDIT' || !requests.has(requestId))
    .map((event) => ({ ...event, data: { ...audits.get(event.requestId)?.data, ...event.data } }))
}

/** The sentence of an event, which leads to its details. The tooltip has the type. */
function Sentence({ of }: { of: Event }) {
  return (
    <a href={to(`/events/${of.id}`)} title={of.type}>
      {useSentence(of)}
    </a>
  )
}

export function OutcomeBadge({ type }: { type: string }) {
  const { outcome } = partsOf(type)
  return outcome ? <Badge mood={moods[outcome]}>{say(eventTexts[outcome])}</Badge> : null
}

const columns: readonly Column<Event>[] = [
  {
    head: eventTexts.event,
    cell: (event) => <Sentence of={event} />,
  },
  { head: eventTexts.outcome, cell: ({ type }) => <OutcomeBadge type={type} /> },
  { head: eventTexts.when, cell: ({ timestamp }) => <ShortTime at={timestamp} /> },
  {
    head: eventTexts.duration,
    cell: ({ durationMs }) => durationMs !== undefined && `${numberText(durationMs)} ms`,
    isNumber: true,
  },
  {
    head: eventTexts.request,
    cell: ({ requestId }) => <Id value={requestId} href={to('/events', { requestId })} />,
  },
]
