import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { findListEntry } from '../../../db/repos/status/list-entries.ts'
import { tenantAtHost } from '../../../db/repos/tenancy/tenant-at-host.ts'
import type { RevocationListKind } from '../../../db/tables/status/lists.ts'
import { statusListPath } from '../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../shared/errors.ts'
import { isBitSet } from '../../../shared/formats/status-bits.ts'
import { OutboundError } from '../../../shared/outbound/outbound-error.ts'
import { failure, type VerificationFailure } from './failures.ts'
import type { Verifying } from './signer-keys.ts'

/** Where a credential says that its status is told. */
export interface StatusReference {
  kind: RevocationListKind
  issuer: string
  url: string
  index: number
}

/** The bits of a list of others, in gzip, if it is signed by the issuer; throws UnusableList if not. */
export type ReadList = (list: Buffer) => Promise<Uint8Array>

/** Why a list says nothing; the message is for whoever asked. */
export class UnusableList extends Error {}

const listWithinMs = 3_000
const maxListBytes = 1_000_000
/** Of 16,000,000 entries; gzip can make much more of little. */
const maxBitsBytes = 2_000_000

/** Whether a credential is revoked: by our database where the list is of a tenant here, else by the list itself. */
export async function findRevocationStatus(
  verifying: Verifying,
  reference: StatusReference,
  readList: ReadList,
): Promise<VerificationFailure | undefined> {
  const details = { list: reference.url.slice(0, 500) }
  try {
    const isRevoked =
      (await isRevokedHere(verifying, reference)) ?? (await isRevokedThere(verifying, reference, readList))
    return isRevoked ? failure('Revoked', undefined, details) : undefined
  } catch (error) {
    if (error instanceof UnusableList) return failure('StatusUnknown', error.message, details)
    throw error
  }
}

/** Undefined where the list is not ours. */
async function isRevokedHere({ deps }: Verifying, { kind, issuer, url, index }: StatusReference) {
  const parsed = URL.parse(url)
  const tenant = parsed ? await tenantAtHost(deps, parsed.host) : undefined
  if (!parsed || !tenant) return undefined
  if (!isEntry(index)) throw new UnusableList('the list has no such entry')
  const listId = parsed.pathname.split('/').at(-1) ?? ''
  if (tenant === 'absent' || parsed.pathname !== statusListPath(kind, listId))
    throw new UnusableList('there is no such list')
  const entry = await findListEntry(deps.db.read, tenant.id, { kind, listId, position: index })
  if (!entry) throw new UnusableList('there is no such list')
  if (issuer !== (entry.series || tenant.did)) throw new UnusableList('the list is of another issuer')
  if (index >= entry.size) throw new UnusableList('the list has no such entry')
  return entry.status !== null && entry.status !== 'valid'
}

async function isRevokedThere(verifying: Verifying, { kind, url, index }: StatusReference, readList: ReadList) {
  const compressed = await readList(await fetchList(verifying, kind, url))
  const isRevoked = isBitSet(await unzip(compressed), index)
  if (isRevoked === undefined) throw new UnusableList('the list has no such entry')
  return isRevoked
}

async function fetchList({ deps, deadlineAt }: Verifying, kind: RevocationListKind, url: string): Promise<Buffer> {
  const accept = kind === 'web-semantic' ? 'application/ld+json, application/json' : 'application/cwt'
  const timeoutMs = Math.max(1, Math.min(listWithinMs, deadlineAt - performance.now()))
  try {
    const { status, body } = await deps.outbound.request({
      method: 'GET',
      url,
      headers: { accept, 'accept-encoding': 'identity' },
      timeoutMs,
      maxResponseBytes: maxListBytes,
      maxRedirects: 2,
    })
    if (status !== 200) throw new UnusableList(`its host answered ${status}`)
    return body
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The deadline of the request left its host less time than it may take: that says nothing about the list.
    const isCut = error.reason === 'timeout' && timeoutMs < listWithinMs
    throw isCut ? new Problem('service_unavailable', { retryAfterSeconds: 5 }) : new UnusableList(error.message)
  }
}

const gunzipBytes: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(gunzip)

async function unzip(compressed: Uint8Array): Promise<Buffer> {
  try {
    return await gunzipBytes(compressed, { maxOutputLength: maxBitsBytes })
  } catch {
    throw new UnusableList('the bits of the list are not gzip, or too many')
  }
}

/** Of what a list here can have; what a foreign credential says may be any number. */
function isEntry(index: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < 2 ** 31
}
