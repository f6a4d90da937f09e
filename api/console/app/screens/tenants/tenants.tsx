import { api, callApi, type Schemas } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { NameOrId } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { session } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { tenantTexts } from './texts.ts'

type Tenant = Schemas['Tenant']

/** The tenants of this installation. */
export default function Tenants() {
  const [{ cursor }] = useQuery()
  const tenants = useRead(
    () => callApi(api.GET('/v1/tenants', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    [cursor],
  )
  const create = (
    <a class="button primary" href={to('/tenants/new')}>
      {say(tenantTexts.create)}
    </a>
  )
  const own = (
    <a class="button" href={to(`/tenants/${session.value?.tenantId}`)}>
      {say(tenantTexts.platformClients)}
    </a>
  )
  return (
    <Screen
      title={say(tenantTexts.tenants)}
      actions={
        <>
          {own}
          {create}
        </>
      }
    >
      <PagedTable
        of={tenants}
        caption={tenantTexts.tenants}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty action={create}>{say(tenantTexts.empty)}</Empty>}
      />
    </Screen>
  )
}

const columns: readonly Column<Tenant>[] = [
  { head: tenantTexts.tenant, cell: ({ id, name }) => <NameOrId name={name} id={id} href={to(`/tenants/${id}`)} /> },
  { head: tenantTexts.address, cell: ({ baseUrl }) => baseUrl },
  { head: tenantTexts.profile, cell: ({ profile }) => profile },
]
