import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Shown } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { useRead } from '../../kit/use-read.ts'
import { Ago, numberText } from '../../kit/when.tsx'
import { Health } from '../settings/health.tsx'
import { serviceTexts } from './texts.ts'

type Found = Schemas['Queues']
type QueueStatus = Found['data'][number]

/** The processes of the installation, and the jobs of each queue. */
export default function Service() {
  const queues = useRead(() => callApi(api.GET('/v1/overview/queues')), [], { everyMs: 5_000 })
  return (
    <Screen title={say(serviceTexts.service)}>
      <Health more={queues.data ? partsOf(queues.data) : []} />
      <Section title={say(serviceTexts.queues)}>
        <p class="soft">{say(serviceTexts.about)}</p>
        <Shown of={queues}>
          {({ data }) => (
            <Table caption={serviceTexts.queues} columns={columns} rows={data} keyOf={({ queue }) => queue} />
          )}
        </Shown>
      </Section>
    </Screen>
  )
}

function partsOf({ data, outbox: { waiting, since } }: Found) {
  return [
    [serviceTexts.workers, <Workers of={data} />],
    [
      serviceTexts.outbox,
      <>
        {numberText(waiting)} {since && <Ago at={since} />}
      </>,
    ],
  ] as const
}

function Workers({ of }: { of: QueueStatus[] }) {
  const left = of.filter(({ workers }) => workers === 0).map(({ queue }) => queue)
  if (left.length > 0)
    return (
      <>
        <Badge mood="bad">{say(serviceTexts.missing)}</Badge>
        <small class="block">{say(serviceTexts.missingOn, { queues: left.join(', ') })}</small>
      </>
    )
  // Some Redis servers do not report it.
  if (of.some(({ workers }) => workers === undefined)) return <>–</>
  return <Badge mood="good">{say(serviceTexts.running)}</Badge>
}

const numberOf = (what: 'waiting' | 'active' | 'delayed' | 'failed'): Column<QueueStatus> => ({
  head: serviceTexts[what],
  cell: (row) => numberText(row[what]),
  isNumber: true,
})

const columns: readonly Column<QueueStatus>[] = [
  {
    head: serviceTexts.queue,
    cell: ({ queue }) => (
      <>
        <code>{queue}</code> <small>{say(serviceTexts[queue])}</small>
      </>
    ),
  },
  numberOf('waiting'),
  numberOf('active'),
  numberOf('delayed'),
  numberOf('failed'),
  { head: serviceTexts.oldest, cell: ({ since }) => <Ago at={since} /> },
  {
    head: serviceTexts.workers,
    cell: ({ workers }) =>
      workers === 0 ? (
        <Badge mood="bad">{say(serviceTexts.none)}</Badge>
      ) : workers === undefined ? (
        '–'
      ) : (
        numberText(workers)
      ),
    isNumber: true,
  },
]
