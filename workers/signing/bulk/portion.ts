import type { Writer } from '../../../db/client.ts'
import { addToOutbox, removeFromOutbox } from '../../../db/outbox.ts'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import type { BulkRow } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { isReceived } from '../../../db/repos/operations/webhooks/webhooks.ts'
import type { BulkFailure } from '../../../db/tables/issuance/bulk-issuances.ts'
import { bulkEndId, bulkRunId } from '../../../shared/domain/issuance/bulk-issuances.ts'
import type { RowContent } from '../../../shared/domain/issuance/claims/map-row.ts'
import { bulkRowContext } from '../../../shared/secrets/stored-contexts.ts'
import type { SigningDeps } from '../deps.ts'

/** The next rows of a run. */
export interface Portion {
  issuer: { tenantId: string; did: string }
  /** The bulk issuance when the rows were read. */
  bulk: BulkIssuanceRow
  rows: BulkRow[]
  isLast: boolean
}

/** The rows of a committed portion. */
export interface Issued {
  done: number
  failed: number
}

export interface CommittedPortion extends Issued {
  /** The time that the transaction took. Other writers get the database for as long. */
  commitMs: number
}

/** The counts of a committed portion, or the reason for a pause. Undefined: the portion was not committed, and is repeated if it is still needed. */
export type PortionResult = CommittedPortion | BulkFailure | undefined

export const missingConfiguration: BulkFailure = {
  code: 'unknown_configuration',
  message: 'The credential configuration was deleted.',
}

/** Ends a run in the transaction of its last portion. The counts are those of the bulk issuance. */
export async function endRun(
  tx: Writer,
  { tenantId, id, run }: BulkIssuanceRow,
  { at, ...counts }: Issued & { at: Date },
): Promise<void> {
  if (await isReceived(tx, tenantId, 'bulk')) {
    const subjectId = bulkEndId({ bulkId: id, run, at, ...counts })
    await addToOutbox(tx, 'fanOut', [{ id: subjectId, payload: { tenantId, kind: 'bulk', subjectId } }], at)
  }
  await removeFromOutbox(tx, [bulkRunId(id, run)])
}

/** Opens the claims of a row that waits. */
export function openRow(secrets: SigningDeps['secrets'], { bulkId, row, sealedClaims }: BulkRow): RowContent {
  if (sealedClaims === null) throw new Error('a row that waits has claims')
  // Boundary: the validation wrote it.
  return JSON.parse(secrets.open(sealedClaims, bulkRowContext(bulkId, row))) as RowContent
}
