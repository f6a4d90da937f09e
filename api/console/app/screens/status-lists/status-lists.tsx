import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Spans } from '../../kit/charts/spans.tsx'
import { chartTexts } from '../../kit/charts/texts.ts'
import { Badge, Bar, Section } from '../../kit/elements.tsx'
import { locale, say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { NameOrId } from '../../kit/named.tsx'
import { RowMenu } from '../../kit/row-menu.tsx'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, numberText } from '../../kit/when.tsx'
import { durationText } from '../configurations/duration.ts'
import { profileTexts } from '../configurations/texts.ts'
import { Lifetimes } from './lifetimes.tsx'
import { LookUp } from './look-up.tsx'
import { statusListTexts as own } from './texts.ts'

type List = Schemas['StatusList']

/** The lists of all profiles, the status at an index, and the lifetimes of lists of mobile credentials. */
export default function StatusLists() {
  return (
    <Screen title={say(own.statusLists)}>
      <p class="soft">{say(own.intro)}</p>
      {can('retrieveStatusLists') && <Lists />}
      {can('retrieveStatusListConfigurations') && <Lifetimes />}
    </Screen>
  )
}

function Lists() {
  const [{ cursor, list }] = useQuery()
  const lists = useRead(
    () =>
      callApi(api.GET('/v2/credentials/status-lists', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    [cursor],
    { everyMs: 5_000 },
  )
  const chosen = lists.data?.data.find(({ id }) => id === list)
  return (
    <>
      <PagedTable
        of={lists}
        caption={own.statusLists}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty action={<LinkButton path="/configurations">{say(own.toConfigurations)}</LinkButton>}>
            {say(own.empty)}
          </Empty>
        }
      />
      <Validity of={lists.data?.data ?? []} />
      {chosen && <LookUp key={chosen.id} list={chosen} />}
    </>
  )
}

/** The lifetimes of the published versions that expire. */
function Validity({ of }: { of: readonly List[] }) {
  const spans = of.flatMap((list) => {
    if (!list.published?.expiresAt) return []
    const { issuedAt: from, expiresAt: until, renewAt: renewsAt } = list.published
    return [{ key: list.id, name: nameOf(list), from, until, renewsAt }]
  })
  if (spans.length === 0) return null
  return (
    <Section title={say(chartTexts.lifetimes)}>
      <Spans title={chartTexts.lifetimes} head={own.list} spans={spans} />
    </Section>
  )
}

const columns: readonly Column<List>[] = [
  {
    head: own.list,
    cell: (list) => <NameOrId name={nameOf(list)} id={list.id} />,
  },
  {
    head: own.places,
    cell: ({ taken, size }) => (
      <Bar
        part={taken / size}
        label={say(own.fill, { taken: numberText(taken), size: numberText(size), percent: percentText(taken / size) })}
      />
    ),
  },
  { head: commonTexts.state, cell: (list) => <State list={list} /> },
  {
    head: own.published,
    cell: ({ published }) =>
      published ? (
        <>
          <Ago at={published.issuedAt} />{' '}
          <small>
            {say(own.version)} {numberText(published.version)}
          </small>
        </>
      ) : (
        '–'
      ),
  },
  {
    head: own.mayBeOld,
    cell: ({ published }) => (published ? durationText(cacheTime(published.ttlSeconds ?? 60)) : '–'),
  },
  {
    head: commonTexts.actions,
    cell: ({ id, url, published }) =>
      published && (
        <RowMenu>
          <a href={to('/status-lists', { list: id })}>{say(own.lookUp)}</a>
          <a href={url} target="_blank" rel="noreferrer">
            {say(own.open)}
          </a>
        </RowMenu>
      ),
  },
]

/** The profile and the begin of the id. */
function nameOf({ id, profile }: List): string {
  return `${say(profileTexts[profile])} ${id.slice(0, 8)}`
}

function percentText(part: number): string {
  return part.toLocaleString(locale(), { style: 'percent', maximumSignificantDigits: 3 })
}

function cacheTime(seconds: number) {
  if (seconds % 86_400 === 0) return { days: seconds / 86_400 }
  return seconds % 60 === 0 ? { minutes: seconds / 60 } : { seconds }
}

function State({ list: { published, changedAt } }: { list: List }) {
  if (!published) return <Badge mood="quiet">{say(own.unpublished)}</Badge>
  if (published.expiresAt && Date.parse(published.expiresAt) <= Date.now())
    return <Badge mood="bad">{say(own.ended)}</Badge>
  return <Badge mood={changedAt ? 'warn' : 'good'}>{say(changedAt ? own.behind : own.current)}</Badge>
}
