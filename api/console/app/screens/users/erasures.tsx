import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { Badge } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { ShortTime } from '../../kit/when.tsx'
import { erasureTexts } from './erasure-texts.ts'
import { userTexts } from './texts.ts'

type Erasure = Schemas['RetrieveErasuresItem']

/** The receipts of all erasures. */
export default function Erasures() {
  const [{ cursor }] = useQuery()
  const query = { limit: 50, ...(cursor && { cursor }) }
  const erasures = useRead(() => callApi(api.GET('/v1/erasures', { params: { query } })), [query])
  return (
    <Screen title={say(erasureTexts.erasures)} up={{ href: to('/users'), title: say(userTexts.users) }}>
      <p class="soft">
        {say(erasureTexts.about)}{' '}
        <a href={to('/events', { event: 'USER_DELETE', outcome: 'audit' })}>{say(erasureTexts.inAudit)}</a>
      </p>
      <PagedTable
        of={erasures}
        caption={erasureTexts.erasures}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty>{say(erasureTexts.empty)}</Empty>}
      />
    </Screen>
  )
}

const columns: readonly Column<Erasure>[] = [
  { head: erasureTexts.id, cell: ({ id }) => <Id value={id} href={to(`/users/erasures/${id}`)} /> },
  { head: erasureTexts.erasedAt, cell: ({ createdAt }) => <ShortTime at={createdAt} /> },
  {
    head: commonTexts.state,
    cell: ({ receipt }) => (
      <Badge mood={receipt ? 'good' : 'quiet'}>{say(receipt ? erasureTexts.signed : erasureTexts.unsigned)}</Badge>
    ),
  },
]
