import type { z } from 'zod'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { findExternalIds, type ListedBulkRow, listBulkRows } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import {
  claimLinkStates,
  findLinksOfRows,
  type ListedClaimLink,
  listClaimLinks,
  type ShownLinkState,
} from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import type { Deps } from '../../deps.ts'
import { writeCursorText } from '../../http/page.ts'
import type { BulkRowView, RowQuery } from './row-schemas.ts'

type Query = z.infer<typeof RowQuery>
type View = z.infer<typeof BulkRowView>
type Read = Pick<Deps, 'db' | 'clock'>

/** Returns a page of the rows of a bulk issuance. A row with a claim link has the state of its link. */
export async function pageOfRows(
  deps: Read,
  bulk: BulkIssuanceRow,
  { state, externalId, cursor, limit }: Query,
): Promise<{ data: View[]; nextCursor?: string }> {
  if (externalId !== undefined) return { data: await findRow(deps, bulk, externalId) }
  const views = isLinkState(state)
    ? await listLinks(deps, bulk, { state, after: cursor ?? 0, limit: limit + 1 })
    : await listRows(deps, bulk, { state, cursor, limit })
  const data = views.slice(0, limit)
  const last = views.length > limit ? data.at(-1) : undefined
  return { data, ...(last && { nextCursor: writeCursorText([last.row]) }) }
}

async function listLinks(
  { db, clock }: Read,
  { tenantId, id }: BulkIssuanceRow,
  query: { state: ShownLinkState; after: number; limit: number },
): Promise<View[]> {
  return (await listClaimLinks(db.read, tenantId, id, query, clock.now())).map(presentLink)
}

async function listRows(deps: Read, bulk: BulkIssuanceRow, query: Parameters<typeof listBulkRows>[3]) {
  return presentRows(deps, bulk, await listBulkRows(deps.db.read, bulk.tenantId, bulk.id, query))
}

/** Returns the row with an external id, which is unique in a bulk issuance. */
async function findRow(deps: Read, bulk: BulkIssuanceRow, externalId: string): Promise<View[]> {
  const { tenantId, id } = bulk
  const [match] = await findExternalIds(deps.db.read, tenantId, id, [externalId])
  if (!match) return []
  const [row] = await listBulkRows(deps.db.read, tenantId, id, { cursor: match.row - 1, limit: 1 })
  return row ? presentRows(deps, bulk, [row]) : []
}

async function presentRows(
  { db, clock }: Read,
  { tenantId, id, mode }: BulkIssuanceRow,
  rows: readonly ListedBulkRow[],
): Promise<View[]> {
  if (mode === 'sign') return rows.map(presentRow)
  const done = rows.filter(({ state }) => state === 'done').map(({ row }) => row)
  const links = await findLinksOfRows(db.read, tenantId, id, done, clock.now())
  const byRow = new Map(links.map((link) => [link.row, presentLink(link)]))
  return rows.map((row) => byRow.get(row.row) ?? presentRow(row))
}

function isLinkState(state: Query['state']): state is ShownLinkState {
  return claimLinkStates.some((each) => each === state)
}

/** Returns a row without its message, which can have content of the file. */
export function withoutMessage({ message: _message, ...row }: View): View {
  return row
}

function presentRow({ row, state, externalId, errorColumn, code, message, credentialId }: ListedBulkRow): View {
  return {
    ...{ row, state },
    ...(externalId !== null && { externalId }),
    ...(errorColumn !== null && { column: errorColumn }),
    ...(code !== null && { code }),
    ...(message !== null && { message }),
    ...(credentialId !== null && { credentialId }),
  }
}

function presentLink({ row, state, externalId, label, userId, expiresAt, openedAt, endedAt }: ListedClaimLink): View {
  return {
    ...{ row, state },
    ...(externalId !== null && { externalId }),
    ...(label !== null && { label }),
    ...(userId !== null && { userId }),
    expiresAt: expiresAt.toISOString(),
    ...(openedAt && { openedAt: openedAt.toISOString() }),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}
