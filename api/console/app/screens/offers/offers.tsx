import { api, callApi } from '../../kit/api.ts'
import { nameOfConfiguration, useConfigurations } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { offerColumns, userColumn, viewColumn } from './columns.tsx'
import { states } from './states.ts'
import { offerTexts } from './texts.ts'

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
  const create = (
    <LinkButton path="/offers/new" query={{ credentials: configuration }} isPrimary>
      {say(offerTexts.create)}
    </LinkButton>
  )
  // A page may be empty and still have a next one, because the service searches in steps.
  const nothing = offers.data?.nextCursor ? offerTexts.more : configuration ? offerTexts.noneOf : offerTexts.noneSuch
  const hasView = offers.data?.data.some(({ view }) => view !== undefined)
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
        columns={offerColumns(configurations, userColumn, ...(hasView ? [viewColumn] : []))}
        keyOf={({ id }) => id}
        empty={isFiltered ? <Empty>{say(nothing)}</Empty> : <Empty action={create}>{say(offerTexts.empty)}</Empty>}
      />
    </Screen>
  )
}
