import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { findListEntry } from '../../../../db/repos/status/list-entries.ts'
import { tenantAtHost } from '../../../../db/repos/tenancy/tenant-at-host.ts'
import { statusListPath } from '../../../../shared/domain/status/status-lists.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import { FormatError } from '../../../../shared/formats/format-error.ts'
import { isJsonObject } from '../../../../shared/formats/json-object.ts'
import { readStatusListJwt, statusAt } from '../../../../shared/formats/status-list-jwt.ts'
import { statusValue } from '../../../../shared/formats/token-status-list.ts'
import { OutboundError } from '../../../../shared/outbound/outbound-error.ts'
import { bodyText } from '../../../../shared/outbound/text-of.ts'
import type { VerificationContext } from '../signer-keys.ts'
import { failed, type SdJwtFailure } from './checks.ts'

const listTimeoutMs = 3_000
const maxListBytes = 1_000_000
/** The limit is necessary, because a small list can inflate to a large size. */
const maxStatusBytes = 2_000_000

/** The reason why a list cannot be used. The caller of the API receives the message. */
class UnusableList extends Error {}

/**
 * Checks the claim `status` of a credential: in the database for lists of this service, in the fetched list otherwise. A credential without
 * the claim passes.
 */
export async function findStatusFailure(
  context: VerificationContext,
  status: unknown,
  roots: readonly string[],
): Promise<SdJwtFailure | undefined> {
  if (status === undefined) return undefined
  try {
    const { uri, idx } = referenceIn(status)
    const value = (await statusInDatabase(context, uri, idx)) ?? (await statusInList(context, uri, idx, roots))
    if (value === statusValue.valid) return undefined
    if (value === statusValue.suspended) return failed('Suspended')
    return value === statusValue.invalid ? failed('Revoked') : failed('StatusUnknown', 'the status is not known')
  } catch (error) {
    if (error instanceof UnusableList || error instanceof FormatError) return failed('StatusUnknown', error.message)
    throw error
  }
}

function referenceIn(status: unknown): { uri: string; idx: number } {
  const reference = isJsonObject(status) ? status.status_list : undefined
  const { uri, idx } = isJsonObject(reference) ? reference : {}
  if (typeof uri === 'string' && typeof idx === 'number' && Number.isInteger(idx) && idx >= 0 && idx < 2 ** 31) {
    return { uri, idx }
  }
  throw new UnusableList('the credential does not refer to a token status list')
}

/** Returns undefined for a list of another service. */
async function statusInDatabase({ deps }: VerificationContext, uri: string, position: number) {
  const parsed = URL.parse(uri)
  const tenant = parsed ? await tenantAtHost(deps, parsed.host) : undefined
  if (!parsed || !tenant) return undefined
  const listId = parsed.pathname.split('/').at(-2) ?? ''
  if (tenant === 'absent' || parsed.pathname !== statusListPath('sd-jwt', listId))
    throw new UnusableList('the list does not exist')
  const entry = await findListEntry(deps.db.read, tenant.id, { kind: 'sd-jwt', listId, position })
  if (!entry || position >= entry.size) throw new UnusableList('the list has no entry with this index')
  return statusValue[entry.status ?? 'valid']
}

async function statusInList(context: VerificationContext, uri: string, index: number, roots: readonly string[]) {
  const text = await fetchList(context, uri)
  const { bits, compressed } = readStatusListJwt(text, { uri, roots, at: context.deps.clock.now() })
  const value = statusAt(await inflated(compressed), bits, index)
  if (value === undefined) throw new UnusableList('the list has no entry with this index')
  return value
}

async function fetchList({ deps, deadlineAt }: VerificationContext, url: string): Promise<string> {
  const timeoutMs = Math.max(1, Math.min(listTimeoutMs, deadlineAt - performance.now()))
  try {
    const { status, body } = await deps.outbound.request({
      method: 'GET',
      url,
      headers: { accept: 'application/statuslist+jwt' },
      timeoutMs,
      maxResponseBytes: maxListBytes,
      maxRedirects: 2,
    })
    if (status !== 200) throw new UnusableList(`the host of the list responded with status ${status}`)
    return bodyText(body)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    // The deadline of the request shortened the timeout. The list did not cause such a timeout.
    const isCut = error.reason === 'timeout' && timeoutMs < listTimeoutMs
    throw isCut ? new Problem('service_unavailable', { retryAfterSeconds: 5 }) : new UnusableList(error.message)
  }
}

const inflateBytes: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer> = promisify(inflate)

async function inflated(compressed: Uint8Array): Promise<Buffer> {
  try {
    return await inflateBytes(compressed, { maxOutputLength: maxStatusBytes })
  } catch {
    throw new UnusableList('the statuses of the list are not zlib or too large')
  }
}
