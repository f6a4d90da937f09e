import { randomBytes } from 'node:crypto'
import { FormatError } from '../../../shared/formats/format-error.ts'
import { publicJwk, thumbprint } from '../../../shared/formats/jwk.ts'
import { type CheckedClaims, checkClaims } from '../../../shared/formats/sd-jwt/check-claims.ts'
import { resolveTree } from '../../../shared/formats/sd-jwt/claim-tree.ts'
import { encodeClaims, joinSdJwt } from '../../../shared/formats/sd-jwt/encode-claims.ts'
import { buildPayload, type CredentialFrame } from '../../../shared/formats/sd-jwt/registered-claims.ts'
import type { SignedSettings } from '../../../shared/jobs/payloads.ts'
import { type CertificateSigner, x5cOf } from '../certificates/signer-cache.ts'
import { signEs256Jwt } from '../sign-jwt.ts'
import { signEach } from './sign-copies.ts'
import type { Copy, SigningInput } from './signing-input.ts'

interface SdJwtInput extends Pick<SigningInput, 'type' | 'claims' | 'issuedAt' | 'validFrom' | 'validUntil'> {
  readonly settings: SignedSettings
  /** The base URL of the tenant. */
  readonly baseUrl: string
}

/**
 * Signs an SD-JWT VC for each copy, with salts of its own. The claims are checked once. Throws a `FormatError` if the claims do not fit
 * the configuration, which can have changed since the request.
 */
export async function signSdJwtCopies(
  { type: vct, settings, baseUrl, claims, issuedAt, validFrom, validUntil }: SdJwtInput,
  signer: CertificateSigner,
  copies: readonly Copy[],
): Promise<{ id: string; credential: string }[]> {
  const checked = checkClaims(claims, resolveTree(settings.claimMappings, settings.disclose))
  if ('faults' in checked) throw new FormatError('unsignable_claim', checked.faults[0]?.message ?? '')
  const { akaVcts, publishedType, includeIssuer } = settings
  // The key is in the JWT VC issuer metadata too, under this id.
  const kid = includeIssuer ? { kid: thumbprint(publicJwk(signer.key.publicKey)) } : {}
  const header = { typ: 'dc+sd-jwt', ...kid, x5c: x5cOf(signer) }
  const issuer = includeIssuer ? baseUrl : undefined
  // The metadata of another type are not those of this service.
  const vctIntegrity = publishedType?.url === vct ? publishedType.integrity : undefined
  // A start that equals the time of the issuance says nothing new.
  const notBefore = validFrom > issuedAt ? validFrom : undefined
  return signEach(copies, async ({ credentialId, holder, status }) => {
    const frame: CredentialFrame = {
      ...{ vct, vctIntegrity, akaVcts, issuer, issuedAt, notBefore, expiresAt: validUntil, holderJwk: holder?.jwk },
      status: status && { idx: status.index, uri: status.url },
    }
    return { id: credentialId, credential: await signSdJwt(header, frame, checked, settings, signer) }
  })
}

async function signSdJwt(
  header: object,
  frame: CredentialFrame,
  checked: CheckedClaims,
  { decoys }: Pick<SignedSettings, 'decoys'>,
  signer: CertificateSigner,
): Promise<string> {
  const { payload, disclosures } = encodeClaims(checked, randomBytes, decoys)
  return joinSdJwt(await signEs256Jwt(signer.key, header, buildPayload(frame, payload)), disclosures)
}
