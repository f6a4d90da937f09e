import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { findTenant, type TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import type { MetadataSignatureRequest } from '../../shared/jobs/payloads.ts'
import { type CertificateSigner, x5cOf } from './certificates/signer-cache.ts'
import { sdJwtSigner } from './certificates/signers.ts'
import type { SigningDeps } from './deps.ts'
import { signEs256Jwt } from './sign-jwt.ts'

const lifetimeSeconds = 24 * 3600

const typ = 'openidvci-issuer-metadata+jwt'

/**
 * Signs issuer metadata as a JWT (OpenID4VCI 1.0, section 12.2.3), with a certificate below the IACA of the tenant if it has an active one.
 */
export async function signIssuerMetadata(
  deps: SigningDeps,
  { tenantId, issuer, metadata }: MetadataSignatureRequest,
): Promise<{ jwt: string }> {
  const tenant = await findTenant(deps.db.read, tenantId)
  if (!tenant) throw new Problem('not_found')
  const iat = unixSeconds(deps.clock.now())
  const payload = { ...metadata, iss: issuer, sub: issuer, iat, exp: iat + lifetimeSeconds }
  const signer = await findChainSigner(deps, tenantId)
  return { jwt: signer ? await signWithChain(signer, payload) : await signWithDidKey(deps, tenant, payload) }
}

interface Payload extends Record<string, unknown> {
  exp: number
}

async function findChainSigner(deps: SigningDeps, tenantId: string): Promise<CertificateSigner | undefined> {
  try {
    return await sdJwtSigner(deps, tenantId)
  } catch (error) {
    if (error instanceof Problem && error.problem === 'credential_request_denied') return undefined
    throw error
  }
}

/** HAIP 1.0, section 4.1: the key is resolved by `x5c`. */
function signWithChain(signer: CertificateSigner, payload: Payload): Promise<string> {
  const exp = Math.min(payload.exp, unixSeconds(signer.notAfter))
  return signEs256Jwt(signer.key, { typ, x5c: x5cOf(signer) }, { ...payload, exp })
}

/** Signs with the P-256 key of the did:web. The header has the key and its DID URL. Wallets find it in the DID document or at `jwks_uri`. */
async function signWithDidKey(
  { db, currentKeys, keyTerms }: SigningDeps,
  { id: tenantId, did }: TenantRow,
  payload: Payload,
): Promise<string> {
  const key = await currentKeys.of(db.read, tenantId, tenantOwner, { purpose: 'did', algorithm: 'ES256' })
  await keyTerms.extendTo(tenantId, key.id, new Date(payload.exp * 1000))
  return signEs256Jwt(key, { typ, kid: `${did}#${key.id}`, jwk: publicJwk(key.publicKey) }, payload)
}
