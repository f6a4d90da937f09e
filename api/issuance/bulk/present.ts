import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk-issuances.ts'
import type { BulkRow } from '../../../db/repos/issuance/bulk-rows.ts'
import { presentUploader } from '../../access/uploader.ts'

export function presentBulk(bulk: BulkIssuanceRow) {
  const { id, state, mode, configurationIds, fileName, sizeBytes, failure, createdAt, endedAt } = bulk
  const { total, valid, invalid, done, failed } = bulk
  return {
    ...{ id, state, mode, configurationIds, fileName, sizeBytes, total, valid, invalid, done, failed },
    ...(failure && { failure }),
    startedBy: presentUploader({ kind: bulk.starter, id: bulk.startedBy }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  }
}

export function presentRow({ row, state, externalId, errorColumn, code, message, credentialId }: BulkRow) {
  return {
    ...{ row, state },
    ...(externalId !== null && { externalId }),
    ...(errorColumn !== null && { column: errorColumn }),
    ...(code !== null && { code }),
    ...(message !== null && { message }),
    ...(credentialId !== null && { credentialId }),
  }
}
