import type { Schemas } from '../../kit/api.ts'
import { type Configuration, nameOfConfiguration } from '../../kit/configurations.ts'
import { say } from '../../kit/language.ts'
import { Named, NameOrId } from '../../kit/named.tsx'
import type { Column } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { Ago, ShortTime } from '../../kit/when.tsx'
import { OfferBadge } from './offer-badge.tsx'
import { offerTexts } from './texts.ts'
import './offers.css'

type Offer = Schemas['Offer']

export const userColumn: Column<Offer> = {
  head: offerTexts.user,
  cell: ({ userId }) =>
    userId ? (
      <Named kind="user" id={userId} href={to(`/users/${userId}`)} />
    ) : (
      <span class="soft">{say(offerTexts.shared)}</span>
    ),
}

/** The view that wallets use. The issuer of the tenant itself has no name here. */
export const viewColumn: Column<Offer> = {
  head: offerTexts.view,
  cell: ({ view }) => view && <Named kind="view" id={view} />,
}

const created: Column<Offer> = { head: commonTexts.created, cell: ({ createdAt }) => <ShortTime at={createdAt} /> }
const ends: Column<Offer> = { head: offerTexts.ends, cell: ({ expiresAt }) => <Ago at={expiresAt} /> }

/** The time of the failure. It leads to the failed step in the timeline of the offer. */
const failedAt: Column<Offer> = {
  head: offerTexts.failedAt,
  cell: ({ id, failure }) =>
    failure && (
      <a href={to(`/offers/${id}`, { request: failure.requestId })}>
        <ShortTime at={failure.at} />
      </a>
    ),
}

/** The columns of a list of offers. `whose` is a column for lists of several users. */
export function offerColumns(configurations: readonly Configuration[], ...whose: Column<Offer>[]): Column<Offer>[] {
  return [...whatColumns(configurations), ...whose, created, ends]
}

/** The columns of a list of failed offers of one user. */
export function failedOfferColumns(configurations: readonly Configuration[]): Column<Offer>[] {
  return [...whatColumns(configurations), failedAt, created]
}

function whatColumns(configurations: readonly Configuration[]): Column<Offer>[] {
  const nameOf = (id: string) => {
    const configuration = configurations.find((each) => each.id === id)
    return configuration ? nameOfConfiguration(configuration) : `${id.slice(0, 8)}…`
  }
  return [
    { head: offerTexts.offer, cell: ({ id, label }) => <NameOrId name={label} id={id} href={to(`/offers/${id}`)} /> },
    { head: commonTexts.state, cell: (offer) => <OfferBadge of={offer} /> },
    {
      head: offerTexts.credentials,
      cell: ({ credentials }) => credentials.map(nameOf).join(', '),
    },
  ]
}
