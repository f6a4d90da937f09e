import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { findListEntry } from '../../../db/repos/status/list-entries.ts'
import { tenantAtHost } from '../../../db/repos/tenancy/tenant-at-host.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { statusListPath } from '../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { isBitSet } from '../../../shared/formats/status-bits.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import { failure, type VerificationFailure } from './failures.ts'
import type { VerificationContext } from './signer-keys.ts'

/** The status list and the index that a credential names. */
export interface StatusReference {
  kind: RevocationListKind
  issuer: string
  url: string
  index: number
}

/** Returns the bits of an external list in gzip, if the issuer signed the list. Throws UnusableList otherwise. */
export type ReadList = (list: Buffer) => Promise<Uint8Array>

/** The reason why a list cannot be used. The caller of the API receives the message. */
export class UnusableList extends Error {}

const listTimeoutMs = 3_000
const maxListBytes = 1_000_000
/** The size of 16,000,000 entries. The limit is necessary, because a small gzip can inflate to a large size. */
const maxBitsBytes = 2_000_000

/** Checks whether a credential is revoked: in the database for lists of this service, in the fetched list otherwise. */
export async function findRevocationStatus(
  context: VerificationContext,
  reference: StatusReference,
  readList: ReadList,
): Promise<VerificationFailure | undefined> {
  const details = { list: reference.url.slice(0, 500) }
  try {
    const isRevoked =
      (await isRevokedInDatabase(context, reference)) ?? (await isRevokedInList(context, reference, readList))
    return isRevoked ? failure('Revoked', undefined, details) : undefined
  } catch (error) {
    if (error instanceof UnusableList) return failure('StatusUnknown', error.message, details)
    throw error
  }
}

/** Returns undefined for a list of another service. */
async function isRevokedInDatabase({ deps }: VerificationContext, { kind, issuer, url, index }: StatusReference) {
  const parsed = URL.parse(url)
  const tenant = parsed ? await tenantAtHost(deps, parsed.host) : undefined
  if (!parsed || !tenant) return undefined
  if (!isEntry(index)) throw new UnusableList('the list has no entry with this index')
  const listId = parsed.pathname.split('/').at(-1) ?? ''
  if (tenant === 'absent' || parsed.pathname !== statusListPath(kind, listId))
    throw new UnusableList('the list does not exist')
  const entry = await findListEntry(deps.db.read, tenant.id, { kind, listId, position: index })
  if (!entry) throw new UnusableList('the list does not exist')
  if (issuer !== (entry.series || tenant.did)) throw new UnusableList('the list belongs to another issuer')
  if (index >= entry.size) throw new UnusableList('the list has no entry with this index')
  return entry.status !== null && entry.status !== 'valid'
}

async function isRevokedInList(
  context: VerificationContext,
  { kind, url, index }: StatusReference,
  readList: ReadList,
) {
  const compressed = await readList(await fetchList(context, kind, url))
  const isRevoked = isBitSet(await unzip(compressed), index)
  if (isRevoked === undefined) throw new UnusableList('the list has no entry with this index')
  return isRevoked
}

async function fetchList(
  { deps, deadlineAt }: VerificationContext,
  kind: RevocationListKind,
  url: string,
): Promise<Buffer> {
  const accept = kind === 'web-semantic' ? 'application/ld+json, application/json' : 'application/cwt'
  const timeoutMs = Math.max(1, Math.min(listTimeoutMs, deadlineAt - performance.now()))
  try {
    const { status, body } = await deps.outbound.request({
      method: 'GET',
      url,
      headers: { accept },
      timeoutMs,
      maxResponseBytes: maxListBytes,
      maxRedirects: 2,
    })
    if (status !== 200) throw new UnusableList(`the host of the list responded with status ${status}`)
    return body
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The deadline of the request shortened the timeout. The list did not cause such a timeout.
    const isCut = error.reason === 'timeout' && timeoutMs < listTimeoutMs
    throw isCut ? new Problem('service_unavailable', { retryAfterSeconds: 5 }) : new UnusableList(error.message)
  }
}

const gunzipBytes: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(gunzip)

async function unzip(compressed: Uint8Array): Promise<Buffer> {
  try {
    return await gunzipBytes(compressed, { maxOutputLength: maxBitsBytes })
  } catch {
    throw new UnusableList('the bits of the list are not gzip or too large')
  }
}

/** Returns whether a number can be an index. A foreign credential can contain any number. */
function isEntry(index: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < 2 ** 31
}
