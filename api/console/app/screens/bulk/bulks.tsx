import { api, callApi } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { ShortTime } from '../../kit/when.tsx'
import { listTexts } from './list-texts.ts'
import { personTexts } from './person-texts.ts'
import { Progress, StateBadge } from './progress.tsx'
import type { Bulk } from './states.ts'
import { bulkTexts } from './texts.ts'
import './bulk.css'

const pollMs = 5_000

/** The bulk issuances with their progress, the newest first. */
export default function Bulks() {
  const [{ cursor, source }] = useQuery()
  const isOfPersons = source === 'person'
  const query = { limit: 50, ...(isOfPersons && { source: 'person' as const }), ...(cursor && { cursor }) }
  const read = () => callApi(api.GET('/v1/bulk-issuances', { params: { query } }))
  const bulks = useRead(read, [query], { everyMs: pollMs })
  const create = (
    <LinkButton path="/bulk/new" isPrimary>
      {say(listTexts.create)}
    </LinkButton>
  )
  const createOne = <LinkButton path="/bulk/person">{say(personTexts.title)}</LinkButton>
  const actions = (
    <>
      {createOne}
      {create}
    </>
  )
  return (
    <Screen title={say(isOfPersons ? personTexts.persons : bulkTexts.bulk)} actions={actions}>
      <p class="soft">
        {say(isOfPersons ? personTexts.about : listTexts.about)}{' '}
        <a href={to('/bulk', isOfPersons ? {} : { source: 'person' })}>
          {say(isOfPersons ? personTexts.files : personTexts.persons)}
        </a>
      </p>
      <PagedTable
        of={bulks}
        caption={bulkTexts.bulk}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          isOfPersons ? (
            <Empty action={createOne}>{say(personTexts.personsEmpty)}</Empty>
          ) : (
            <Empty action={create}>{say(listTexts.empty)}</Empty>
          )
        }
      />
    </Screen>
  )
}

const columns: readonly Column<Bulk>[] = [
  {
    head: listTexts.file,
    cell: ({ id, source, fileName }) => (
      <a href={to(`/bulk/${id}`)}>{source === 'person' ? say(personTexts.row) : fileName}</a>
    ),
  },
  { head: commonTexts.state, cell: ({ state }) => <StateBadge state={state} /> },
  { head: listTexts.progress, cell: (bulk) => <Progress of={bulk} /> },
  { head: listTexts.mode, cell: ({ mode }) => say(listTexts[mode]) },
  { head: commonTexts.created, cell: ({ createdAt }) => <ShortTime at={createdAt} /> },
]
