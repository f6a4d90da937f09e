import { api, callApi, type Schemas } from '../../kit/api.ts'
import { type Configuration, useConfigurations } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Named } from '../../kit/named.tsx'
import { can } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { credentialColumns } from './columns.tsx'
import { SaveCsv } from './csv.tsx'
import { FilterForm, Find, isFiltered, queryOf } from './filters.tsx'
import { listTexts } from './list-texts.ts'
import { SelectionBar, selectionColumn, useSelection } from './selection.tsx'
import { credentialTexts } from './texts.ts'

type Issued = Schemas['IssuedCredential']

const whose = {
  head: credentialTexts.user,
  cell: ({ userId }: Issued) => <Named kind="user" id={userId} href={to(`/users/${userId}`)} />,
}

/** The issued credentials of all configurations, the newest first. */
export function List() {
  const [filters] = useQuery()
  const configurations = useConfigurations().data
  const query = queryOf(filters)
  const issued = useRead(() => callApi(api.GET('/v2/credentials/issued', { params: { query } })), [query])
  const { cursor: _cursor, limit: _limit, ...filter } = query
  const selection = useSelection(JSON.stringify(filter), issued.data?.data)
  const canRevoke = can('setRevocationStatuses', 'retrieveRevocationStatuses')
  const reload = () => void issued.reload()
  return (
    <>
      <FilterForm filters={filters} all={configurations ?? []} />
      <Find />
      {issued.data && issued.data.data.length + selection.of.size > 0 && (
        <div class="head">
          {canRevoke && <SelectionBar selection={selection} page={issued.data.data} onDone={reload} />}
          <SaveCsv key={JSON.stringify(filter)} filter={filter} />
        </div>
      )}
      <PagedTable
        of={issued}
        caption={credentialTexts.credentials}
        columns={[...(canRevoke ? [selectionColumn(selection)] : []), ...credentialColumns<Issued>(reload, whose)]}
        keyOf={(each) => each.id}
        empty={<None filters={filters} hasMore={issued.data?.nextCursor !== undefined} all={configurations} />}
      />
    </>
  )
}

/** A page can be empty and still have a next one, because the service searches in steps. */
function None(props: {
  filters: Readonly<Record<string, string | undefined>>
  hasMore: boolean
  all: readonly Configuration[] | undefined
}) {
  const { filters, hasMore, all } = props
  if (hasMore) return <Empty>{say(listTexts.more)}</Empty>
  const { configuration, cursor, ...others } = filters
  if (isFiltered(others) || cursor) return <Empty>{say(listTexts.noneSuch)}</Empty>
  if (!configuration && all?.length === 0) return <Nothing />
  const offer = (
    <LinkButton path="/offers/new" query={{ credentials: configuration }} isPrimary>
      {say(credentialTexts.newOffer)}
    </LinkButton>
  )
  return <Empty action={offer}>{say(configuration ? credentialTexts.none : listTexts.none)}</Empty>
}

function Nothing() {
  const begin = (
    <LinkButton path="/configurations/new" isPrimary>
      {say(credentialTexts.newConfiguration)}
    </LinkButton>
  )
  return <Empty action={begin}>{say(credentialTexts.noConfiguration)}</Empty>
}
