import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { showCodesUntil } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import {
  listClaimLinks,
  listLinkResults,
  type ShownLinkState,
} from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import { type ClaimLinkTenant, presentClaimLink } from '../../../db/repos/issuance/claim-links/new-claim-links.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { claimLinkAddressOf, claimLinkReferenceOf } from '../../../shared/domain/issuance/claim-links.ts'
import { hashSecret } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'

/** The claim links of a bulk issuance as results. */
export interface LinkResults {
  deps: Pick<Deps, 'db' | 'secrets' | 'clock'>
  bulk: BulkIssuanceRow
  tenant: ClaimLinkTenant
}

/** After the begin of the first download with codes, a client can repeat a broken transfer with the same codes for this time. */
const codesShownMs = hourMs

/**
 * Returns the columns of the results. The transaction codes are there until a client confirms the results, or until an hour after
 * the begin of the first download that has some.
 */
export function linkColumns({ deps: { clock }, bulk }: LinkResults): string[] {
  const { transactionCode, codesShownUntil } = bulk
  const isShown = transactionCode !== null && (codesShownUntil === null || codesShownUntil > clock.now())
  return ['row', 'externalId', 'link', ...(isShown ? ['transactionCode'] : [])]
}

/** Returns what changes with the links, or null while their codes are shown: the code of a collected link is removed. */
export function linkVersion(results: LinkResults): string | null {
  const { deps, bulk, tenant } = results
  if (linkColumns(results).includes('transactionCode')) return null
  // The addresses depend on the secret of the tenant, and on the form of references.
  const form = hashSecret(claimLinkReferenceOf(deps.secrets.ofTenant(tenant), { id: bulk.id, generation: 0 })).slice(
    0,
    8,
  )
  return `-${bulk.renewedAt?.getTime() ?? 0}-${form}`
}

/** Returns the results of the next rows, at most `limit`. The transaction codes are in the sealed content of the links. */
export async function readLinkResults(
  { deps, bulk, tenant }: LinkResults,
  page: { after: number; limit: number; maxBytes: number },
  columns: string[],
): Promise<{ row: number }[]> {
  const { db, secrets, clock } = deps
  const isShown = columns.includes('transactionCode')
  const { endsWithCodes } = bulk.linkRenewal ?? {}
  const links = await listLinkResults(db.read, bulk.tenantId, bulk.id, { ...page, withContent: isShown })
  const making = { secrets, at: clock.now() }
  return links.map((link) => {
    const { row, address, transactionCode = '' } = presentClaimLink(tenant, link, making)
    const code = !endsWithCodes || endsWithCodes.includes(link.expiresAt.getTime()) ? transactionCode : ''
    return { row, externalId: link.externalId, link: address, ...(isShown && { transactionCode: code }) }
  })
}

/** The columns of a list of links in one state. It has no transaction codes. */
export const columnsOfState = ['row', 'externalId', 'label', 'link', 'state', 'expiresAt', 'openedAt', 'endedAt']

/** Returns the next links in a state, at most `limit`. */
export async function readLinksInState(
  { deps: { db, secrets, clock }, bulk, tenant }: LinkResults,
  state: ShownLinkState,
  page: { after: number; limit: number },
): Promise<{ row: number }[]> {
  const macs = secrets.ofTenant(tenant)
  const links = await listClaimLinks(db.read, bulk.tenantId, bulk.id, { ...page, state }, clock.now())
  return links.map((link) => {
    const { row, externalId, label, expiresAt, openedAt, endedAt } = link
    const times = {
      expiresAt: expiresAt.toISOString(),
      openedAt: openedAt?.toISOString(),
      endedAt: endedAt?.toISOString(),
    }
    const address = claimLinkAddressOf(tenant.baseUrl, claimLinkReferenceOf(macs, link))
    return { row, externalId, label: label ?? undefined, link: address, state, ...times }
  })
}

/**
 * Records the begin of a download of rows of a bulk issuance that has ended, also after a row. Only a client knows whether all of it
 * arrived: small results are in the buffers of the connection when it is cut off.
 */
export async function recordDownload({ deps: { db, clock }, bulk }: LinkResults, columns: string[]): Promise<void> {
  // Rows of a run that has not ended when the download begins can be missing.
  if (!columns.includes('transactionCode') || bulk.endedAt === null) return
  const until = plusMs(clock.now(), codesShownMs)
  await db.tx((tx) => showCodesUntil(tx, bulk.tenantId, bulk.id, until))
}
