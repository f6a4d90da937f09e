import { and, eq, exists, getTableColumns, sql } from 'drizzle-orm'
import type { Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared } from '../../../engine/prepared.ts'
import { shared } from '../../../hold.ts'
import { configurations } from '../../../tables/issuance/configurations.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { users } from '../../../tables/issuance/users.ts'
import type { OfferRow } from './offers.ts'

const insertUser = prepared('insert_user_for_offer', (tx) => {
  const columns = Object.entries(getTableColumns(users)).map(([key, column]) => paramOf(column, key))
  const configuration = tx
    .select({ id: configurations.id })
    .from(configurations)
    .where(and(inRow(configurations.tenantId, param('tenantId')), eq(configurations.id, param('configurationId'))))
  return tx
    .insert(users)
    .select(sql`select ${sql.join(columns, sql`, `)} where ${exists(shared(configuration, configurations))}`)
    .returning({ id: users.id })
})

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
 * Inserts an offer of one configuration and its user without claims, and locks the configuration shared. Returns false
 * if the configuration does not exist, and then inserts neither.
 */
export async function insertOfferWithUser(tx: Writer, offer: OfferRow): Promise<boolean> {
  const { userId: id, tenantId, createdAt } = offer
  const user = { id, tenantId, claims: {}, providerId: null, subjectId: null, issuer: null, label: null, createdAt }
  const [configurationId] = offer.configurationIds
  const [, rows] = await Promise.all([insertUser(tx, { ...user, configurationId }), insertOffer(tx, offer)])
  return rows.length === 1
}
