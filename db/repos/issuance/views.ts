import { and, eq, exists, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import type { PageRequest } from '../../page.ts'
import { authorizations } from '../../tables/issuance/authorizations.ts'
import { bulkIssuances } from '../../tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../tables/issuance/claim-links.ts'
import { offers } from '../../tables/issuance/offers.ts'
import { sessions } from '../../tables/issuance/sessions.ts'
import { sharedOffers } from '../../tables/issuance/shared-offers.ts'
import { goneViews, views } from '../../tables/issuance/views.ts'
import { listPage } from '../list-page.ts'
import { isRegistrationValid, isSessionValid } from './sessions/session-validity.ts'

export type ViewRow = typeof views.$inferSelect
export type ViewContent = Pick<ViewRow, 'name' | 'profile' | 'configurations' | 'displayName' | 'walletFamilies'>

/** Inserts a view. Its path and its host are not gone any more. Returns undefined if another view of the tenant has one of them. */
export async function insertView(tx: Writer, row: ViewRow): Promise<ViewRow | undefined> {
  const [inserted] = await tx.insert(views).values(row).onConflictDoNothing().returning()
  if (inserted)
    await tx
      .delete(goneViews)
      .where(or(ofPath(row.tenantId, row.path), row.host === null ? undefined : ofHost(row.tenantId, row.host)))
  return inserted
}

export function findView(db: Reader, tenantId: string, id: string): Promise<ViewRow | undefined> {
  return findRow(db, views, tenantId, id)
}

/** Returns all views of the tenant. Their number is limited (`limits.views`). */
export function findAllViews(db: Reader, tenantId: string): Promise<ViewRow[]> {
  return db.select().from(views).where(eq(views.tenantId, tenantId))
}

export function listViews(db: Reader, tenantId: string, page: PageRequest): Promise<ViewRow[]> {
  return listPage(db, views, tenantId, page)
}

export async function updateView(
  tx: Writer,
  tenantId: string,
  id: string,
  content: ViewContent,
): Promise<ViewRow | undefined> {
  const [row] = await tx.update(views).set(content).where(byId(tenantId, id)).returning()
  return row
}

/** Returns a view with one of these profiles, if the tenant has one. */
export async function findViewOfProfile(
  db: Reader,
  tenantId: string,
  profiles: ViewRow['profile'][],
): Promise<ViewRow | undefined> {
  const [row] = await db
    .select()
    .from(views)
    .where(and(eq(views.tenantId, tenantId), inArray(views.profile, profiles)))
    .limit(1)
  return row
}

/** Deletes a view, and remembers its path and its host. Returns false if it does not exist. */
export async function deleteView(tx: Writer, tenantId: string, id: string, goneAt: Date): Promise<boolean> {
  const [deleted] = await tx.delete(views).where(byId(tenantId, id)).returning({ path: views.path, host: views.host })
  if (!deleted) return false
  await tx
    .insert(goneViews)
    .values({ tenantId, ...deleted, goneAt })
    .onConflictDoNothing()
  return true
}

/** Returns whether a view of the tenant had this path, and was deleted. */
export async function isGoneView(db: Reader, tenantId: string, path: string): Promise<boolean> {
  const rows = await db.select({ path: goneViews.path }).from(goneViews).where(ofPath(tenantId, path))
  return rows.length === 1
}

/** Returns whether a view of the tenant had this host, and was deleted. */
export async function isGoneHost(db: Reader, tenantId: string, host: string): Promise<boolean> {
  const rows = await db.select({ host: goneViews.host }).from(goneViews).where(ofHost(tenantId, host)).limit(1)
  return rows.length === 1
}

/** Returns the views of the tenant with hosts of their own. */
export async function findViewsWithHosts(db: Reader, tenantId: string): Promise<{ name: string; host: string }[]> {
  const rows = await db
    .select({ name: views.name, host: views.host })
    .from(views)
    .where(and(eq(views.tenantId, tenantId), isNotNull(views.host)))
  return rows.flatMap(({ name, host }) => (host === null ? [] : [{ name, host }]))
}

/** The numbers of objects that need a view. */
export interface ViewUses {
  offers: number
  sharedOffers: number
  /** Bulk issuances that make claim links, or have claim links that people can open. Those for one person too. */
  bulkIssuances: number
  authorizations: number
  sessions: number
}

/** Counts the objects of a view that wallets can still use at the time `at`. Returns undefined if there are none. */
export async function countViewUses(
  tx: Writer,
  tenantId: string,
  viewId: string,
  at: Date,
): Promise<ViewUses | undefined> {
  const count = (
    table: typeof offers | typeof sharedOffers | typeof bulkIssuances | typeof authorizations | typeof sessions,
    valid?: SQL,
  ) => tx.$count(table, and(eq(table.tenantId, tenantId), eq(table.viewId, viewId), valid))
  const isAuthorized = and(
    gt(authorizations.expiresAt, at),
    ne(authorizations.state, 'ended'),
    isRegistrationValid(tx, authorizations),
  )
  const uses = {
    offers: await count(offers, gt(offers.expiresAt, at)),
    sharedOffers: await count(sharedOffers, isNull(sharedOffers.deletedAt)),
    bulkIssuances: await count(bulkIssuances, or(isMaking, hasOpenLinks(tx, at))),
    authorizations: await count(authorizations, isAuthorized),
    sessions: await count(sessions, and(gt(sessions.expiresAt, at), isSessionValid(tx))),
  }
  return Object.values(uses).some((number) => number > 0) ? uses : undefined
}

const isMaking = inArray(bulkIssuances.state, ['validating', 'ready', 'running', 'paused'])

/** Whether people can make offers with links of a bulk issuance. */
function hasOpenLinks(tx: Writer, at: Date): SQL {
  const isOpen = and(
    eq(claimLinks.tenantId, bulkIssuances.tenantId),
    eq(claimLinks.bulkId, bulkIssuances.id),
    inArray(claimLinks.state, ['open', 'opened']),
    gt(claimLinks.expiresAt, at),
  )
  const links = tx.select({ id: claimLinks.id }).from(claimLinks).where(isOpen)
  return sql`${ne(bulkIssuances.state, 'removed')} and ${exists(links)}`
}

function byId(tenantId: string, id: string) {
  return and(inRow(views.tenantId, tenantId), eq(views.id, id))
}

function ofHost(tenantId: string, host: string) {
  return and(eq(goneViews.tenantId, tenantId), eq(goneViews.host, host))
}

function ofPath(tenantId: string, path: string) {
  return and(eq(goneViews.tenantId, tenantId), eq(goneViews.path, path))
}
