import type { BulkRow } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { newIdAt } from '../../../shared/ids.ts'
import { seriesFor } from '../build-credentials.ts'
import type { SigningDeps } from '../deps.ts'
import { type CredentialSigning, findSigning } from '../formats/signers.ts'
import type { StatusIndex } from '../lists/status-index-allocator.ts'
import { type Started, startEach } from '../start-each.ts'
import { type CredentialValidity, validityOf, validityWithin } from '../validity.ts'
import { openRow } from './portion.ts'

/** A row with its signed credential, not yet committed. */
export interface SignedRow {
  row: BulkRow
  credentialId: string
  credential: string | Record<string, unknown>
  status: StatusIndex | undefined
  validity: CredentialValidity
}

/** A row that cannot be signed, with the reason. */
export interface UnsignedRow {
  row: BulkRow
  reason: string
}

export interface SignedRows {
  signed: SignedRow[]
  unsigned: UnsignedRow[]
  /** The certificates of the signature, if there are any. All of them must be in use at the commit. */
  certificateIds: string[]
  /** The id of the certificate or of the key that signed. */
  signerId: string
}

/**
 * Signs the credentials of rows. A row that cannot be signed does not stop the others. Throws `credential_request_denied` if no signer
 * can sign any of them.
 */
export async function signRows(
  deps: SigningDeps,
  issuer: { tenantId: string; did: string },
  configuration: ConfigurationRow,
  rows: BulkRow[],
): Promise<SignedRows> {
  const signing = await findSigning(deps, issuer, configuration)
  const { signer, signerId } = signing
  const series = await seriesFor(deps, issuer.tenantId, configuration, signer)
  const statuses = series ? await deps.statusIndexes.take(issuer, series, rows.length) : []
  const signed: SignedRow[] = []
  const unsigned: UnsignedRow[] = []
  const results = await startEach(rows, (row, at) =>
    startRow(deps, { signing, configuration, row, status: statuses[at] }),
  )
  for (const [at, row] of rows.entries()) {
    const result = results[at]
    if (result?.status === 'fulfilled') signed.push(result.value)
    if (result?.status === 'rejected') unsigned.push({ row, reason: reasonOf(result.reason) })
  }
  return { signed, unsigned, certificateIds: signer ? [signer.certificateId, signer.caId] : [], signerId }
}

interface RowToSign {
  signing: CredentialSigning
  configuration: ConfigurationRow
  row: BulkRow
  status: StatusIndex | undefined
}

async function startRow(
  { secrets, clock, keyTerms }: SigningDeps,
  { signing, configuration, row, status }: RowToSign,
): Promise<Started<SignedRow>> {
  const { claims, validity: mapped } = openRow(secrets, row)
  const toSign = { issuance: { validity: mapped }, configuration }
  const now = clock.now()
  const validity = signing.signer ? validityWithin(toSign, now, signing.signer) : validityOf(toSign, now)
  if (signing.keyId !== undefined) await keyTerms.extendTo(row.tenantId, signing.keyId, validity.validUntil)
  // The id contains the same time as the credential.
  const credentialId = newIdAt(validity.issuedAt)
  const signed = signing.sign({ claims, ...validity }, [{ credentialId, ...(status && { status }) }])
  const result = signed.then(([copy]) => {
    if (!copy) throw new Error('one copy gives one credential')
    return { row, credentialId, credential: copy.credential, status, validity }
  })
  return { result, isExternal: signing.isExternal }
}

/** A mismatch is an error of this service, and the job is repeated. Other errors mean that these claims cannot be signed. */
function reasonOf(error: unknown): string {
  if (error instanceof FormatError && error.code !== 'signature_mismatch') return error.message
  if (error instanceof Problem && error.problem === 'credential_request_denied') return error.reason ?? error.message
  throw error
}
