import { type Answered, api, callApi } from '../../kit/api.ts'
import { numberText } from '../../kit/when.tsx'

/** A count reads at most this many entries of a list. */
const limit = 100

export interface Counts {
  credentials?: string
  offers?: string
  failures?: string
}

/** Counts the entries of the tabs of a user. A list with more entries than were read has the count "100+". */
export async function countsOf(userId: string): Promise<Answered<Counts>> {
  const ofOffers = { userId, limit, order: 'newest' as const }
  const [credentials, offers, failures] = await Promise.all([
    callApi(api.GET('/v1/users/{userId}/credentials', { params: { path: { userId }, query: { limit } } })),
    callApi(api.GET('/v1/openid/offers', { params: { query: ofOffers } })),
    callApi(api.GET('/v1/openid/offers', { params: { query: { ...ofOffers, failed: 'true' as const } } })),
  ])
  return {
    data: {
      ...counted('credentials', credentials),
      ...counted('offers', offers),
      ...counted('failures', failures),
    },
  }
}

/** A list that cannot be read has no count. Its tab shows the problem. */
function counted(
  name: keyof Counts,
  { data: page }: Answered<{ data: readonly unknown[]; nextCursor?: string }>,
): Counts {
  if (!page) return {}
  return { [name]: `${numberText(page.data.length)}${page.nextCursor === undefined ? '' : '+'}` }
}
