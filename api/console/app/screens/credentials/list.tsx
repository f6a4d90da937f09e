import { api, callApi, type Schemas } from '../../kit/api.ts'
import type { Configuration } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { hasRole } from '../../kit/session.ts'
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

/** The issued credentials of a configuration, the newest first. */
export function List({ all }: { all: readonly Configuration[] }) {
  const [filters] = useQuery()
  const query = queryOf(filters, all)
  const issued = useRead(() => callApi(api.GET('/v2/credentials/issued', { params: { query } })), [query])
  const { cursor: _cursor, limit: _limit, ...filter } = query
  const selection = useSelection(JSON.stringify(filter))
  const canRevoke = hasRole('issuer', 'managed-issuer')
  const reload = () => void issued.reload()
  const offer = (
    <a class="button primary" href={to('/offers/new', { credentials: query.configurationId })}>
      {say(credentialTexts.newOffer)}
    </a>
  )
  return (
    <>
      <FilterForm filters={filters} all={all} />
      <Find />
      {issued.data && issued.data.data.length > 0 && (
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
        empty={
          isFiltered(filters) ? (
            <Empty>{say(listTexts.noneSuch)}</Empty>
          ) : (
            <Empty action={offer}>{say(credentialTexts.none)}</Empty>
          )
        }
      />
    </>
  )
}
