import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Badge, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { useRead } from '../../kit/use-read.ts'
import { useViews } from '../../kit/views.ts'
import { readerTexts } from './reader-texts.ts'

type Reader = Schemas['WalletReader']

/** The wallet families, whether each reads the issuer and its views, and what to change. */
export function Readers() {
  const views = useViews()
  const nameOf = (id: string) => views.find((view) => view.id === id)?.name ?? ''
  const readers = useRead(() => callApi(api.GET('/v1/openid/configuration/readers')), [])
  return (
    <Shown of={readers}>
      {({ families, views: readersOfViews }) => (
        <>
          <Section title={say(readerTexts.title)}>
            <p class="soft">{say(readerTexts.about)}</p>
            <Families of={families} />
          </Section>
          {readersOfViews.map((view) => (
            <Section key={view.id} title={say(readerTexts.ofView, { name: nameOf(view.id) })}>
              <p class="soft">{view.issuer}</p>
              <Families of={view.families} />
            </Section>
          ))}
        </>
      )}
    </Shown>
  )
}

function Families({ of: families }: { of: readonly Reader[] }) {
  return <Table caption={readerTexts.title} columns={columns} rows={families} keyOf={({ family }) => family} />
}

const columns: readonly Column<Reader>[] = [
  { head: readerTexts.family, cell: ({ name }) => name },
  {
    head: readerTexts.state,
    cell: ({ canRead, findings }) => <State canRead={canRead} isWhole={findings.length === 0} />,
  },
  { head: readerTexts.findings, cell: ({ findings }) => <Findings of={findings} /> },
]

function State({ canRead, isWhole }: { canRead: boolean; isWhole: boolean }) {
  if (!canRead) return <Badge mood="bad">{say(readerTexts.cannotRead)}</Badge>
  return <Badge mood={isWhole ? 'good' : 'warn'}>{say(isWhole ? readerTexts.reads : readerTexts.leavesOut)}</Badge>
}

function Findings({ of: findings }: { of: Reader['findings'] }) {
  if (findings.length === 0) return null
  return (
    <details>
      <summary>{say(readerTexts.count, { count: findings.length })}</summary>
      <ul class="checks">
        {findings.map(({ check, field, message, fix, source }) => (
          <li key={`${check} ${field}`}>
            {message}
            <small class="block">{fix}</small>
            <small class="block">
              {source.repository}: {source.path} ({source.version})
            </small>
          </li>
        ))}
      </ul>
    </details>
  )
}
