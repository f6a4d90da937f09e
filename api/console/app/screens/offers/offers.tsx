import { api, ask, type Schemas } from '../../kit/api.ts'
import { Badge, type Mood } from '../../kit/bits.tsx'
import { Id } from '../../kit/copy.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { words } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, When } from '../../kit/when.tsx'
import { offerTexts } from './texts.ts'

type Offer = Schemas['Offer']
type State = Schemas['OfferState']

const states = ['usable', 'spent', 'claimed', 'ended', 'expired'] as const satisfies readonly State[]

const moods: Record<State, Mood> = { usable: 'warn', spent: 'warn', claimed: 'good', ended: 'quiet', expired: 'quiet' }

/** All offers, the newest first. */
export default function Offers() {
  const [query, change] = useQuery()
  const state = states.find((each) => each === query.state)
  const cursor = query.cursor
  const offers = useRead(
    () =>
      ask(
        api.GET('/v1/openid/offers', {
          params: { query: { limit: 50, ...(state && { state }), ...(cursor && { cursor }) } },
        }),
      ),
    [state, cursor],
    { everyMs: 5_000 },
  )
  const create = (
    <a class="button primary" href={to('/offers/new')}>
      {say(offerTexts.create)}
    </a>
  )
  return (
    <Screen title={say(offerTexts.offers)} actions={create}>
      <div class="filters">
        <label>
          {say(words.state)}
          <select value={state ?? ''} onChange={(event) => change({ state: event.currentTarget.value })}>
            <option value="">{say(words.all)}</option>
            {states.map((each) => (
              <option key={each} value={each}>
                {say(offerTexts[each])}
              </option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        of={offers}
        caption={offerTexts.offers}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          state ? <Empty>{say(offerTexts.noneSuch)}</Empty> : <Empty action={create}>{say(offerTexts.empty)}</Empty>
        }
      />
    </Screen>
  )
}

const columns: readonly Column<Offer>[] = [
  { head: offerTexts.offer, cell: ({ id }) => <Id value={id} href={to(`/offers/${id}`)} /> },
  { head: words.state, cell: ({ state }) => <Badge mood={moods[state]}>{say(offerTexts[state])}</Badge> },
  {
    head: offerTexts.kind,
    cell: ({ kind }) => say(kind === 'pre-authorized' ? offerTexts.preAuthorized : offerTexts.shared),
  },
  { head: words.created, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    head: offerTexts.ends,
    cell: ({ expiresAt }) => <Ago at={expiresAt} />,
  },
]
