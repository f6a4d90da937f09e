import { api, callApi } from '../../kit/api.ts'
import { useConfigurations } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { Empty } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { failedOfferColumns, offerColumns } from '../offers/columns.tsx'
import { offerTexts } from '../offers/texts.ts'
import { userTexts } from './texts.ts'

/** The offers of a user, or those that failed, the newest first. */
export function OffersTab({ id, isFailed = false }: { id: string; isFailed?: boolean }) {
  const [{ cursor }] = useQuery()
  const { data: configurations = [] } = useConfigurations()
  const query = {
    ...{ userId: id, order: 'newest' as const, limit: 50 },
    ...(isFailed && { failed: 'true' as const }),
    ...(cursor && { cursor }),
  }
  const offers = useRead(() => callApi(api.GET('/v1/openid/offers', { params: { query } })), [query])
  const none = isFailed ? userTexts.noFailure : userTexts.noOffer
  return (
    <>
      <p class="soft">{say(userTexts.offersKept)}</p>
      <PagedTable
        of={offers}
        caption={isFailed ? userTexts.failures : offerTexts.offers}
        columns={isFailed ? failedOfferColumns(configurations) : offerColumns(configurations)}
        keyOf={(each) => each.id}
        empty={<Empty>{say(offers.data?.nextCursor ? offerTexts.more : none)}</Empty>}
      />
    </>
  )
}
