import { setImmediate } from 'node:timers/promises'
import type { CredentialRow, IssuanceToSign } from '../../db/repos/issuance/issuances.ts'
import type { StatusEntryRow } from '../../db/repos/status/lists.ts'
import type { HolderKey, IssuedCredential } from '../../db/tables/issuance/issuances.ts'
import { Problem } from '../../shared/errors.ts'
import { addDuration } from '../../shared/formats/calendar-duration.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { newIdAt } from '../../shared/ids.ts'
import { profiles } from '../../shared/profiles.ts'
import type { SigningDeps } from './deps.ts'
import { signCopies } from './formats/signers.ts'
import type { Copy } from './formats/signing-input.ts'
import { issuerKey } from './issuer-key.ts'
import type { Place } from './lists/places.ts'

/** A signed issuance, not yet committed. */
export interface SignedIssuance {
  issuance: IssuanceToSign['issuance']
  credentials: IssuedCredential[]
  records: CredentialRow[]
  /** Where they stand in status lists, if they are revocable. */
  entries: StatusEntryRow[]
}

/**
 * Builds and signs one credential for each holder key. Throws `credential_request_denied` where the format has no way to
 * say the claims.
 */
export async function buildCredentials(deps: SigningDeps, toSign: IssuanceToSign): Promise<SignedIssuance> {
  const { issuance } = toSign
  const validity = validityOf(toSign, deps.clock.now())
  const places = await placesFor(deps, toSign)
  const copies = issuance.holderKeys.map((holder, position) => ({
    credentialId: newIdAt(validity.issuedAt),
    holder,
    status: places[position],
  }))
  const credentials = await sign(deps, toSign, validity, copies)
  const records = copies.map(({ credentialId, holder }, position) =>
    recordOf(toSign, credentialId, holder, position, validity),
  )
  const entries = copies.flatMap(({ credentialId, status }) =>
    status ? [entryOf(issuance.tenantId, credentialId, status)] : [],
  )
  return { issuance, credentials, records, entries }
}

/** One for each copy of a revocable credential. */
async function placesFor(deps: SigningDeps, { issuance, configuration, issuerDid }: IssuanceToSign): Promise<Place[]> {
  if (!configuration.settings.revocable) return []
  const issuer = { tenantId: issuance.tenantId, did: issuerDid }
  return deps.places.take(issuer, configuration.profile, issuance.holderKeys.length)
}

function entryOf(tenantId: string, credentialId: string, { listId, index }: Place): StatusEntryRow {
  return { tenantId, listId, position: index, credentialId, status: 'valid' }
}

interface Validity {
  issuedAt: Date
  validFrom: Date
  validUntil?: Date
}

const hourMs = 3_600_000

/**
 * Copies of a batch carry the hour and not the moment, so that they cannot be linked by it. Unless the credential would
 * not outlive the hour.
 */
function validityOf({ issuance, configuration }: IssuanceToSign, now: Date): Validity {
  const { expiresIn } = configuration.settings
  const at = issuance.holderKeys.length > 1 ? new Date(Math.floor(now.getTime() / hourMs) * hourMs) : now
  if (!expiresIn) return { issuedAt: at, validFrom: at }
  const validUntil = addDuration(at, expiresIn)
  if (validUntil.getTime() - now.getTime() > hourMs || at === now) return { issuedAt: at, validFrom: at, validUntil }
  return { issuedAt: now, validFrom: now, validUntil: addDuration(now, expiresIn) }
}

async function sign(
  deps: SigningDeps,
  { issuance, configuration, issuerDid }: IssuanceToSign,
  validity: Validity,
  copies: Copy[],
): Promise<IssuedCredential[]> {
  const { tenantId, claims } = issuance
  const { format } = profiles[configuration.profile]
  const key = await issuerKey(deps, { tenantId, did: issuerDid }, configuration.profile)
  const input = { issuerDid, key, claims: claims ?? {}, ...validity }
  const signed: IssuedCredential[] = []
  try {
    for await (const credential of signCopies(configuration, input, copies)) {
      signed.push({ ...credential, format })
      await setImmediate() // others' jobs come in between
    }
    return signed
  } catch (error) {
    // A mismatch is our own fault and worth a retry; the others say that these claims cannot be signed.
    if (error instanceof FormatError && error.code !== 'signature_mismatch') {
      throw new Problem('credential_request_denied', { message: error.message })
    }
    throw error
  }
}

function recordOf(
  { issuance, configuration }: IssuanceToSign,
  id: string,
  { jwk }: HolderKey,
  position: number,
  { issuedAt, validFrom, validUntil }: Validity,
): CredentialRow {
  return {
    id,
    tenantId: issuance.tenantId,
    userId: issuance.userId,
    issuanceId: issuance.id,
    profile: configuration.profile,
    type: configuration.type,
    offerId: issuance.offerId,
    sessionId: issuance.sessionId,
    configurationId: configuration.id,
    devicePublicKey: jwk,
    status: 'valid',
    issuedAt,
    validFrom,
    validUntil: validUntil ?? null,
    position,
  }
}
