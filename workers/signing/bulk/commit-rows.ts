import type { Writer } from '../../../db/client.ts'
import { hold, holdTenant } from '../../../db/hold.ts'
import { holdInUse } from '../../../db/repos/certificates/signers.ts'
import { insertSigned } from '../../../db/repos/credentials/signed.ts'
import { insertStored, type NewStoredCredential } from '../../../db/repos/credentials/stored.ts'
import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { type BulkRow, holdUsersShared, insertBulkRows } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { advanceRun, takeRows } from '../../../db/repos/issuance/bulk/bulk-runs.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { type CredentialRow, insertCredentials } from '../../../db/repos/issuance/issuances.ts'
import { insertEntries } from '../../../db/repos/status/lists.ts'
import { bulkIssuances } from '../../../db/tables/issuance/bulk-issuances.ts'
import { bulkKeptUntil } from '../../../shared/domain/issuance/bulk-issuances.ts'
import { isStored, type SignableProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Secrets } from '../../../shared/secrets/secrets.ts'
import { bulkResultContext } from '../../../shared/secrets/stored-contexts.ts'
import { documentRow, sdJwtRow } from '../stored-rows.ts'
import { endRun, type Issued } from './portion.ts'
import type { SignedRow, SignedRows, UnsignedRow } from './sign-rows.ts'

export interface PortionToCommit extends SignedRows {
  /** The bulk issuance when the rows were read. */
  bulk: BulkIssuanceRow
  configuration: ConfigurationRow
  rows: BulkRow[]
  isLast: boolean
  at: Date
}

/**
 * Writes the credentials of a portion, the results of its rows and the progress. Returns undefined if another worker has committed the
 * portion, or if the bulk issuance was paused, cancelled or deleted meanwhile. Rows of people who were erased meanwhile are left out.
 */
export async function commitRows(
  tx: Writer,
  secrets: Secrets,
  portion: PortionToCommit,
): Promise<Issued | 'certificate ended' | undefined> {
  const { bulk, rows, certificateIds, isLast, at } = portion
  const { tenantId, id } = bulk
  if ((await holdTenant(tx, tenantId))?.state !== 'active') return undefined
  const inUse = await holdInUse(tx, tenantId, certificateIds)
  if (!certificateIds.every((each) => inUse.has(each))) return 'certificate ended'
  const held = await hold(tx, bulkIssuances, tenantId, id)
  if (held?.state !== 'running' || held.run !== bulk.run || held.progress !== bulk.progress) return undefined

  const users = await holdUsersShared(tx, tenantId, [...new Set(rows.flatMap(({ userId }) => userId ?? []))])
  const taken = await takeRows(
    tx,
    bulk,
    rows.map(({ row }) => row),
  )
  const exists = ({ row: { row, userId } }: { row: BulkRow }) =>
    taken.has(row) && (userId === null || users.has(userId))
  const signed = portion.signed.filter(exists)
  const unsigned = portion.unsigned.filter(exists)
  await writeCredentials(tx, { ...portion, signed })
  await insertBulkRows(tx, [...signed.map((each) => doneRow(secrets, each)), ...unsigned.map(failedRow)])
  // The erasure of a row has reduced the counts.
  const retried = bulk.issues === 'failed' ? taken.size : 0
  const done = held.done + signed.length
  const failed = held.failed + unsigned.length - retried
  await advanceRun(tx, bulk, {
    progress: rows.at(-1)?.row ?? held.progress,
    done,
    failed,
    ended: isLast ? { endedAt: at, expiresAt: bulkKeptUntil(bulk, at) } : undefined,
  })
  if (isLast) await endRun(tx, bulk, { at, done, failed })
  return { done: signed.length, failed: unsigned.length }
}

function doneRow(secrets: Secrets, { row, credential, credentialId }: SignedRow): BulkRow {
  const sealedResult = secrets.seal(JSON.stringify(credential), bulkResultContext(row.bulkId, row.row))
  return { ...row, state: 'done', sealedClaims: null, code: null, message: null, credentialId, sealedResult }
}

/** The claims stay for a retry. */
function failedRow({ row, reason }: UnsignedRow): BulkRow {
  return { ...row, state: 'failed', code: 'not_signed', message: reason.endsWith('.') ? reason : `${reason}.` }
}

/** A credential of a user is recorded like one that a wallet collected, and is erased with the user. */
async function writeCredentials(
  tx: Writer,
  { bulk, configuration, signed, signerId, at }: PortionToCommit,
): Promise<void> {
  const { tenantId } = bulk
  // Boundary: `issuePortion` refuses configurations of other profiles.
  const profile = configuration.profile as SignableProfile
  await insertStored(
    tx,
    signed.flatMap((each) => storedRow(configuration, each, at)),
  )
  const ofUsers = signed.filter(({ row }) => row.userId !== null)
  await insertCredentials(
    tx,
    ofUsers.map((each) => ({ ...recordOf(bulk, configuration, each, at), signerId })),
  )
  const others = signed.filter(({ row }) => row.userId === null)
  await insertSigned(
    tx,
    others.map(({ credentialId }) => ({ id: credentialId, tenantId, profile, issuedAt: at, signerId })),
  )
  await insertEntries(
    tx,
    signed.flatMap(({ credentialId, status }) =>
      status
        ? [{ tenantId, listId: status.listId, position: status.index, credentialId, status: 'valid' as const }]
        : [],
    ),
  )
}

function storedRow(
  configuration: ConfigurationRow,
  { row: { tenantId, userId }, credentialId, credential }: SignedRow,
  createdAt: Date,
): NewStoredCredential[] {
  if (!isStored(configuration)) return []
  const owner = { id: credentialId, tenantId, userId, tag: null, createdAt }
  const { profile, type } = configuration
  return [profile === 'sd-jwt' ? sdJwtRow(credential, type, owner) : documentRow(credential, owner)]
}

function recordOf(
  bulk: BulkIssuanceRow,
  { id: configurationId, profile, type }: ConfigurationRow,
  { row, credentialId: id, validity: { validFrom, validUntil } }: SignedRow,
  issuedAt: Date,
): Omit<CredentialRow, 'signerId'> {
  return {
    ...{ id, tenantId: bulk.tenantId, userId: row.userId ?? '', profile, type, configurationId },
    // No wallet has requested it. The bulk issuance takes the place of the session.
    ...{ issuanceId: id, sessionId: bulk.id, offerId: null, viewId: null, devicePublicKey: null, position: 0 },
    ...{ status: 'valid', issuedAt, validFrom, validUntil: validUntil ?? null, namespaces: null, msoHash: null },
  }
}
