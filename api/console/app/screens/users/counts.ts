import { type Answered, api, callApi } from '../../kit/api.ts'
import { can } from '../../kit/session.ts'
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
  const readOffers = (query: typeof ofOffers & { failed?: 'true' }) =>
    can('retrieveOffers') ? callApi(api.GET('/v1/openid/offers', { params: { query } })) : undefined
  const [credentials, offers, failures] = await Promise.all([
    can('retrieveUserCredentials')
      ? callApi(api.GET('/v1/users/{userId}/credentials', { params: { path: { userId }, query: { limit } } }))
      : undefined,
    readOffers(ofOffers),
    readOffers({ ...ofOffers, failed: 'true' }),
  ])
  return {
    data: {
      ...counted('credentials', credentials),
      ...counted('offers', offers),
      ...counted('failures', failures),
    },
  }
}

/** A list that the user may not read, or that cannot be read, has no count. The tab of the latter shows the problem. */
function counted(
  name: keyof Counts,
  answered: Answered<{ data: readonly unknown[]; nextCursor?: string }> | undefined,
): Counts {
  const page = answered?.data
  if (!page) return {}
  return { [name]: `${numberText(page.data.length)}${page.nextCursor === undefined ? '' : '+'}` }
}
