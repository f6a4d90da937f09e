import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, type Mood, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { can, type Operation } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, numberText } from '../../kit/when.tsx'
import { Concerns } from '../overview/attention.tsx'
import { ofPublication, readPublications } from '../overview/concerns.ts'
import { readCounts } from '../overview/counts.tsx'
import { queueTexts, settingsTexts } from './texts.ts'

type Work = Schemas['Work']
type Waiting = Awaited<ReturnType<typeof readWork>>

interface Kind {
  work: Work
  queue: Schemas['QueueName']
  /** An operation of those who may read about this work. The service sends the same list to all who may read late jobs. */
  reads: Operation
  /** The screen that shows the objects of this work. */
  href?: string
}

const issuing = 'retrieveIssuedDays' satisfies Operation
const trusting = 'retrieveTroubledPublications' satisfies Operation

const kinds: readonly Kind[] = [
  { work: 'issuance', queue: 'signing', reads: issuing, href: to('/offers') },
  { work: 'statusChange', queue: 'signing-bulk', reads: issuing, href: to('/status-lists') },
  { work: 'delivery', queue: 'delivery', reads: issuing, href: to('/webhooks') },
  { work: 'message', queue: 'delivery', reads: issuing },
  { work: 'bulk', queue: 'upkeep', reads: issuing, href: to('/credentials') },
  { work: 'integration', queue: 'integrations', reads: trusting, href: to('/ecosystems') },
]

const everyMs = 10_000
const readWork = () => callApi(api.GET('/v1/overview/jobs', { params: { query: { waiting: 'all' } } }))

/** The waiting work of this tenant by kind, and whether it is late. */
export function Queues() {
  const work = useRead(readWork, [], { everyMs })
  const counts = useRead(readCounts, [], { everyMs })
  const pending = counts.data?.pendingDeliveries
  const inAll = pending && pending.count > 0 && `${numberText(pending.count)}${pending.isAtLeast ? '+' : ''}`
  return (
    <>
      <Section title={say(settingsTexts.queues)}>
        <p class="soft">{say(queueTexts.about)}</p>
        <Shown of={work}>
          {({ data }) => (
            <Table
              caption={settingsTexts.queues}
              columns={columnsOf(data, inAll || undefined)}
              rows={kinds.filter(({ reads }) => can(reads))}
              keyOf={({ work }) => work}
            />
          )}
        </Shown>
      </Section>
      {can(trusting) && <Publications />}
    </>
  )
}

const moods: Record<Schemas['Severity'], Mood> = { notice: 'good', warning: 'warn', critical: 'bad' }

function columnsOf(waiting: NonNullable<Waiting['data']>['data'], deliveries: string | undefined): Column<Kind>[] {
  const of = ({ work }: Kind) => waiting.find((each) => each.work === work)
  return [
    {
      head: queueTexts.work,
      cell: ({ work, href }) => (href ? <a href={href}>{say(queueTexts[work])}</a> : say(queueTexts[work])),
    },
    { head: queueTexts.queue, cell: ({ queue }) => <code>{queue}</code> },
    {
      head: queueTexts.oldest,
      cell: (kind) => {
        const publication = of(kind)
        const count = kind.work === 'delivery' && deliveries
        return (
          <>
            {publication ? <Ago at={publication.since} /> : '–'}
            {count && <small> {say(queueTexts.inAll, { count })}</small>}
          </>
        )
      },
    },
    {
      head: commonTexts.state,
      cell: (kind) => {
        const severity = of(kind)?.severity
        return <Badge mood={severity ? moods[severity] : 'quiet'}>{say(queueTexts[severity ?? 'nothing'])}</Badge>
      },
    },
  ]
}

function Publications() {
  const publications = useRead(readPublications, [], { everyMs: 60_000 })
  return (
    <Section title={say(queueTexts.publications)}>
      <Shown of={publications}>
        {({ data }) =>
          data.length > 0 ? (
            <Concerns of={data.map(ofPublication)} />
          ) : (
            <p class="well">{say(queueTexts.noPublications)}</p>
          )
        }
      </Shown>
    </Section>
  )
}
