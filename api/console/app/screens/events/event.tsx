import { useRoute } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Facts, Json, Section } from '../../kit/elements.tsx'
import { say, verbatim } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { When } from '../../kit/when.tsx'
import { type Event, OutcomeBadge } from './event-table.tsx'
import { hrefOf, kindOf } from './links.ts'
import { eventTexts } from './texts.ts'
import { useSentence } from './use-sentence.ts'
import './events.css'

/** One event: its type, time, actor and data. */
export default function EventScreen() {
  const { id = '' } = useRoute().params
  const read = () => callApi(api.GET('/v1/events', { params: { query: { ids: [id] } } }))
  const events = useRead(read, [id])
  const [event] = events.data?.data ?? []
  if (event) return <EventFrame of={event} />
  return (
    <Screen title={say(eventTexts.event)} up={up()}>
      {events.problem?.kind === 'missing' ? (
        <Empty>{say(eventTexts.missing)}</Empty>
      ) : (
        <Shown of={events}>{() => <Empty>{say(eventTexts.missing)}</Empty>}</Shown>
      )}
    </Screen>
  )
}

const up = () => ({ href: to('/events'), title: say(eventTexts.events) })

/** The sentence of the event is its heading. */
function EventFrame({ of: event }: { of: Event }) {
  return (
    <Screen title={say(eventTexts.event)} label={{ text: useSentence(event), id: event.id }} up={up()}>
      <EventDetails of={event} />
    </Screen>
  )
}

function EventDetails({ of: event }: { of: Event }) {
  const { type, category, timestamp, requestId, clientId, managementUserId, walletClientId } = event
  return (
    <>
      <section>
        <Facts
          of={[
            [eventTexts.outcome, <OutcomeBadge key="" type={type} />],
            [eventTexts.event, <code key="">{type}</code>],
            [eventTexts.when, <When key="" at={timestamp} />],
            [eventTexts.duration, event.durationMs !== undefined && `${event.durationMs} ms`],
            [
              eventTexts.category,
              <a key="" href={to('/events', { category })}>
                {category}
              </a>,
            ],
            [eventTexts.client, clientId && <Named kind="client" id={clientId} href={to('/events', { clientId })} />],
            [
              eventTexts.person,
              managementUserId && <Id value={managementUserId} href={to('/events', { person: managementUserId })} />,
            ],
            [eventTexts.wallet, walletClientId && <Id value={walletClientId} />],
            [eventTexts.requestId, <Id key="" value={requestId} />],
          ]}
        />
        <p class="follow">
          <a class="button" href={to('/events', { requestId })}>
            {say(eventTexts.follow)}
          </a>
        </p>
      </section>
      <Values title={say(eventTexts.data)} of={event.data} type={type} />
      <Values title={say(eventTexts.metadata)} of={event.metadata} type="" />
      <details>
        <summary>{say(eventTexts.details)}</summary>
        <Json value={event} />
      </details>
    </>
  )
}

/** Names and values in the form of the service. Ids link to their objects. */
function Values({ title, of, type }: { title: string; of: Record<string, unknown>; type: string }) {
  const entries = Object.entries(of)
  if (entries.length === 0) return null
  return (
    <Section title={title}>
      <Facts of={entries.map(([name, value]) => [verbatim(name), shownValue(name, value, type)])} />
    </Section>
  )
}

const isId = /^[\w.:-]{20,}$/

function shownValue(name: string, value: unknown, type: string) {
  if (typeof value !== 'string') return <code>{JSON.stringify(value)}</code>
  if (!isId.test(value)) return value
  const href = hrefOf(name, value, type)
  const kind = kindOf(name, type)
  return kind ? <Named kind={kind} id={value} href={href} /> : <Id value={value} href={href} />
}
