import type { Writer } from '../../../client.ts'
import { bulkIssuances as bulks } from '../../../tables/issuance/bulk-issuances.ts'
import type { BulkIssuanceRow } from '../bulk/bulk-issuances.ts'
import { insertBulkRows } from '../bulk/bulk-rows.ts'
import type { ClaimLinkRow } from './claim-links.ts'
import { insertClaimLinks } from './new-claim-links.ts'

/** The settings of a claim link for one person, as its bulk issuance stores them. */
export type SingleLinkSettings = Pick<
  BulkIssuanceRow,
  'columns' | 'linkSeconds' | 'transactionCode' | 'signIn' | 'viewId' | 'startedBy' | 'starter' | 'expiresAt'
>

/**
 * Inserts a claim link for one person: a bulk issuance of one row that has ended. So it is listed, renewed, revoked, erased and purged as
 * a link of a file. Its transaction code is only in the answer of the request.
 */
export async function insertSingleClaimLink(
  tx: Writer,
  link: ClaimLinkRow,
  settings: SingleLinkSettings,
  sealedKept: string | null,
): Promise<void> {
  const { tenantId, bulkId, row, externalId, userId, configurationIds, createdAt } = link
  await tx.insert(bulks).values({
    ...settings,
    ...{ id: bulkId, tenantId, configurationIds, createdAt, endedAt: createdAt, codesShownUntil: createdAt },
    ...{ state: 'done', mode: 'links', source: 'person', issues: 'valid', onDuplicate: 'fail', validateOnly: false },
    ...{ format: 'jsonl', fileName: 'claim-link', sizeBytes: 0, total: 1, valid: 1, done: 1, progress: 1 },
    ...{ invalid: 0, failed: 0, run: 0, doneBefore: 0 },
  })
  const bulkRow = { tenantId, bulkId, row, state: 'done' as const, externalId, userId, sealedKept }
  const nothing = { sealedClaims: null, errorColumn: null, code: null, message: null, credentialId: null }
  await insertBulkRows(tx, [{ ...bulkRow, ...nothing, sealedResult: null }])
  await insertClaimLinks(tx, [link])
}
