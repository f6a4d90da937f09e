import type { CredentialRow, IssuanceToSign } from '../../db/repos/issuances.ts'
import type { HolderKey, IssuedCredential } from '../../db/tables/issuances.ts'
import { Problem } from '../../shared/errors.ts'
import { addDuration } from '../../shared/formats/calendar-duration.ts'
import { credentialFormats } from '../../shared/formats/credential-format.ts'
import { didWebDocumentUrl } from '../../shared/formats/did.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { newIdAt } from '../../shared/ids.ts'
import type { SigningDeps } from './deps.ts'
import { signCompact } from './formats/compact.ts'
import { signCompactSemantic } from './formats/compact-semantic.ts'
import type { SigningInput } from './formats/signing-input.ts'
import { signWebSemantic } from './formats/web-semantic.ts'

/** A signed issuance, not yet committed. */
export interface SignedIssuance {
  issuance: IssuanceToSign['issuance']
  credentials: IssuedCredential[]
  records: CredentialRow[]
}

/**
 * Builds and signs one credential for each holder key. Throws `credential_request_denied` where the format has no way to
 * say the claims.
 */
export async function buildCredentials(deps: SigningDeps, toSign: IssuanceToSign): Promise<SignedIssuance> {
  const { issuance, configuration } = toSign
  const validity = validityOf(toSign, deps.clock.now())
  const credentials: IssuedCredential[] = []
  const records: CredentialRow[] = []
  for (const [position, holder] of issuance.holderKeys.entries()) {
    const id = newIdAt(validity.issuedAt)
    const credential = await signOne(deps, toSign, id, holder, validity)
    credentials.push({ id, format: credentialFormats[configuration.profile], credential })
    records.push(recordOf(toSign, id, holder, position, validity))
  }
  return { issuance, credentials, records }
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

async function signOne(
  deps: SigningDeps,
  { issuance, configuration, issuerDid, issuerName }: IssuanceToSign,
  credentialId: string,
  holder: HolderKey,
  validity: Validity,
): Promise<IssuedCredential['credential']> {
  const { profile, type, settings } = configuration
  const algorithm = profile === 'web-semantic' ? 'Ed25519' : 'ES256'
  const {
    id: kid,
    privateKey,
    publicKey,
  } = await deps.keyring.signingKey(deps.db.read, issuance.tenantId, 'did', algorithm)
  const input: SigningInput = {
    issuerDid,
    key: { keyId: `${issuerDid}#${kid}`, kid, privateKey, publicKey },
    credentialId,
    type,
    claims: issuance.claims ?? {},
    holder,
    ...validity,
  }
  try {
    switch (profile) {
      case 'compact':
        return signCompact(input)
      case 'compact-semantic':
        return signCompactSemantic(input)
      case 'web-semantic': {
        const issuer = settings.issuer ?? { name: issuerName }
        const { protocol, host } = new URL(didWebDocumentUrl(issuerDid))
        return await signWebSemantic({ ...input, ...settings, issuer, vocab: `${protocol}//${host}/vocabulary#` })
      }
      case 'mobile':
        throw new Error('mobile credentials are not signed here')
    }
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
