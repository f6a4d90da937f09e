import { api, callApi, type Schemas } from '../../kit/api.ts'
import { type Configuration, nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { Named, NameOrId } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { hasRole } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, When } from '../../kit/when.tsx'
import { OfferBadge } from './offer-badge.tsx'
import { states } from './states.ts'
import { offerTexts } from './texts.ts'
import './offers.css'

type Offer = Schemas['Offer']

const filters = [...states, 'failed'] as const

function filterOf(chosen: (typeof filters)[number] | undefined) {
  if (chosen === 'failed') return { failed: 'true' as const }
  return chosen === undefined ? {} : { state: chosen }
}

/** Each read is an event, so the list polls at a low rate. The screen of one offer polls faster. */
const pollMs = 20_000

/** The offers of both kinds, the newest first, filtered by state and configuration. */
export default function Offers() {
  const [query, change] = useQuery()
  const state = filters.find((each) => each === query.state)
  const { cursor, configuration } = query
  const { data: configurations = [] } = useConfigurations()
  const filter = {
    ...{ order: 'newest' as const, limit: 50, ...filterOf(state) },
    ...(configuration && { configurationId: configuration }),
    ...(cursor && { cursor }),
  }
  const read = () => callApi(api.GET('/v1/openid/offers', { params: { query: filter } }))
  const offers = useRead(read, [filter], { everyMs: pollMs })
  const create = hasRole('issuer', 'managed-issuer') && (
    <a class="button primary" href={to('/offers/new', { credentials: configuration })}>
      {say(offerTexts.create)}
    </a>
  )
  // A page may be empty and still have a next one, because the service searches in steps.
  const nothing = offers.data?.nextCursor ? offerTexts.more : configuration ? offerTexts.noneOf : offerTexts.noneSuch
  const isFiltered = state !== undefined || configuration !== undefined || cursor !== undefined
  return (
    <Screen title={say(offerTexts.offers)} actions={create}>
      <div class="filters">
        <label>
          {say(commonTexts.state)}
          <select value={state ?? ''} onChange={(event) => change({ state: event.currentTarget.value })}>
            <option value="">{say(commonTexts.all)}</option>
            {filters.map((each) => (
              <option key={each} value={each}>
                {say(offerTexts[each])}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say(offerTexts.configuration)}
          <select
            value={configuration ?? ''}
            onChange={(event) => change({ configuration: event.currentTarget.value })}
          >
            <option value="">{say(commonTexts.all)}</option>
            {configurations.map((each) => (
              <option key={each.id} value={each.id}>
                {nameOfConfiguration(each)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        of={offers}
        caption={offerTexts.offers}
        columns={columnsOf(configurations)}
        keyOf={({ id }) => id}
        empty={isFiltered ? <Empty>{say(nothing)}</Empty> : <Empty action={create}>{say(offerTexts.empty)}</Empty>}
      />
    </Screen>
  )
}

function columnsOf(configurations: readonly Configuration[]): Column<Offer>[] {
  const nameOf = (id: string) => {
    const found = configurations.find((each) => each.id === id)
    return found ? nameOfConfiguration(found) : `${id.slice(0, 8)}…`
  }
  return [
    { head: offerTexts.offer, cell: ({ id, label }) => <NameOrId name={label} id={id} href={to(`/offers/${id}`)} /> },
    { head: commonTexts.state, cell: (offer) => <OfferBadge of={offer} /> },
    { head: offerTexts.credentials, cell: ({ credentials }) => credentials.map(nameOf).join(', ') },
    {
      head: offerTexts.user,
      cell: ({ userId }) =>
        userId ? (
          <Named kind="user" id={userId} href={to(`/users/${userId}`)} />
        ) : (
          <span class="soft">{say(offerTexts.shared)}</span>
        ),
    },
    { head: commonTexts.created, cell: ({ createdAt }) => <When at={createdAt} /> },
    { head: offerTexts.ends, cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
  ]
}
