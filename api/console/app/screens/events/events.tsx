import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { SaveButton } from '../../kit/download.tsx'
import { Badge, type Mood } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { type Column, Pager, Table } from '../../kit/table.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, When } from '../../kit/when.tsx'
import { csvOf } from './csv.ts'
import { FilterForm, isFiltered, type Outcome, outcomes, queryOf } from './filters.tsx'
import { sentenceOf } from './sentences.ts'
import { eventTexts } from './texts.ts'
import './events.css'

export type Event = Schemas['Event']

const moods: Record<Outcome, Mood> = { start: 'quiet', success: 'good', fail: 'bad', audit: 'warn' }

/** The events, the newest first. The events of one request are in chronological order. */
export default function Events() {
  const [query] = useQuery()
  const filter = queryOf(query)
  const events = useRead(() => callApi(api.GET('/v1/events', { params: { query: filter } })), [filter])
  const { requestId, objectId } = query
  return (
    <Screen title={say(eventTexts.events)}>
      <FilterForm key={JSON.stringify(query)} filters={query} />
      {objectId && <p class="note">{say(eventTexts.about, { id: objectId })}</p>}
      {requestId && <p class="note">{say(eventTexts.following, { id: requestId })}</p>}
      <Shown of={events}>
        {({ data, nextCursor }) => (
          <>
            {data.length > 0 ? (
              <>
                <div class="actions">
                  <SaveButton label={say(eventTexts.csv)} name="events.csv" text={csvOf(data)} />
                </div>
                <Table
                  caption={eventTexts.events}
                  columns={columns}
                  rows={requestId ? data.toReversed() : withoutOwnAudit(data, filter.show)}
                  keyOf={({ id }) => id}
                />
              </>
            ) : (
              <Empty>{say(whyNone(isFiltered(query), nextCursor))}</Empty>
            )}
            <Pager next={nextCursor} />
          </>
        )}
      </Shown>
    </Screen>
  )
}

/** Returns a row for each request. The audit entry of a request on the same page is part of its request. */
function withoutOwnAudit(events: readonly Event[], show: string): readonly Event[] {
  if (show === 'all') return events
  const requests = new Set(events.filter(({ category }) => category !== 'AUDIT').map(({ requestId }) => requestId))
  return events.filter(({ category, requestId }) => category !== 'AUDIT' || !requests.has(requestId))
}

/** Returns the text for an empty page. An empty page may have a next one, because the service searches in steps. */
function whyNone(isSome: boolean, nextCursor: string | undefined) {
  if (nextCursor) return eventTexts.noneOnPage
  return isSome ? eventTexts.noneSuch : eventTexts.none
}

/** Splits an event type into operation and outcome. A type without an outcome is only an operation. */
export function partsOf(type: string): { name: string; outcome: Outcome | undefined } {
  const outcome = outcomes.find((each) => type.endsWith(`_${each.toUpperCase()}`))
  return { name: outcome ? type.slice(0, -outcome.length - 1) : type, outcome }
}

export function OutcomeBadge({ type }: { type: string }) {
  const { outcome } = partsOf(type)
  return outcome ? <Badge mood={moods[outcome]}>{say(eventTexts[outcome])}</Badge> : null
}

/** Shows the actor: a client, a person or a wallet. */
export function Who({ of: { clientId, managementUserId, walletClientId } }: { of: Event }) {
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
