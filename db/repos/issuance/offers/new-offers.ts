import { and, eq, exists, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared } from '../../../engine/prepared.ts'
import { shared } from '../../../hold.ts'
import { configurations } from '../../../tables/issuance/configurations.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { users } from '../../../tables/issuance/users.ts'
import { type ViewConfigurations, views } from '../../../tables/issuance/views.ts'
import type { OfferRow } from './offers.ts'

const insertUser = prepared('insert_user_for_offer', (tx) => insertUserIf(tx, hasConfiguration(tx)))

const insertUserOfView = prepared('insert_user_for_offer_of_view', (tx) =>
  insertUserIf(tx, sql`${hasConfiguration(tx)} and ${hasView(tx)}`),
)

function insertUserIf(tx: Writer, condition: SQL) {
  const columns = Object.entries(getTableColumns(users)).map(([key, column]) => paramOf(column, key))
  return tx
    .insert(users)
    .select(sql`select ${sql.join(columns, sql`, `)} where ${condition}`)
    .returning({ id: users.id })
}

function hasConfiguration(tx: Writer): SQL {
  const configuration = tx
    .select({ id: configurations.id })
    .from(configurations)
    .where(and(inRow(configurations.tenantId, param('tenantId')), eq(configurations.id, param('configurationId'))))
  return exists(shared(configuration, configurations))
}

/** Whether the view exists and publishes what the caller has read. */
function hasView(tx: Writer): SQL {
  const isUnchanged = sql`cast(${views.configurations} as text) = ${param('published')}`
  const view = tx
    .select({ id: views.id })
    .from(views)
    .where(and(inRow(views.tenantId, param('tenantId')), eq(views.id, param('viewId')), isUnchanged))
  return exists(shared(view, views))
}

const insertOffer = prepared('insert_offer_for_user', (tx) => {
  const columns = Object.entries(getTableColumns(offers)).map(([key, column]) => paramOf(column, key))
  const user = tx
    .select({ id: users.id })
    .from(users)
    .where(and(inRow(users.tenantId, param('tenantId')), eq(users.id, param('userId'))))
  return tx
    .insert(offers)
    .select(sql`select ${sql.join(columns, sql`, `)} where ${exists(user)}`)
    .returning({ id: offers.id })
})

/**
 * Inserts an offer of one configuration and its user without claims, and locks the configuration and the view of the offer shared.
 * `published` is what the caller has read that the view publishes. Returns false if the configuration or the view does not exist, or if
 * the view was changed, and then inserts neither.
 */
export async function insertOfferWithUser(
  tx: Writer,
  offer: OfferRow,
  published?: ViewConfigurations,
): Promise<boolean> {
  const { userId: id, tenantId, createdAt } = offer
  const user = { id, tenantId, claims: {}, providerId: null, subjectId: null, issuer: null, label: null, createdAt }
  const [configurationId] = offer.configurationIds
  const { viewId } = offer
  const insertion =
    viewId === null
      ? insertUser(tx, { ...user, configurationId })
      : insertUserOfView(tx, { ...user, configurationId, viewId, published: JSON.stringify(published) })
  const [, rows] = await Promise.all([insertion, insertOffer(tx, offer)])
  return rows.length === 1
}
