import { findSigningKeyId, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { findActiveAccessCertificate } from '../../db/repos/issuance/access-certificates.ts'
import { findTenant, type TenantRow } from '../../db/repos/tenancy/tenants.ts'
import { unixSeconds } from '../../shared/clock.ts'
import { accessKeyOwner } from '../../shared/domain/issuance/access-certificates.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import type { MetadataSignatureRequest } from '../../shared/jobs/payloads.ts'
import { x5cOf } from './certificates/signer-cache.ts'
import { sdJwtSigner } from './certificates/signers.ts'
import type { SigningDeps } from './deps.ts'
import type { Signer } from './keys/signer.ts'
import { signEs256Jwt } from './sign-jwt.ts'

const lifetimeSeconds = 24 * 3600

const typ = 'openidvci-issuer-metadata+jwt'

/**
 * Signs issuer metadata as a JWT (OpenID4VCI 1.0, section 12.2.3): with the active access certificate of the tenant (ETSI TS 119 472-3, section
 * 4.2.2), or with a certificate below its active IACA, or with the key of its DID.
 */
export async function signIssuerMetadata(
  deps: SigningDeps,
  { tenantId, issuer, metadata }: MetadataSignatureRequest,
): Promise<{ jwt: string }> {
  const tenant = await findTenant(deps.db.read, tenantId)
  if (!tenant) throw new Problem('not_found')
  const iat = unixSeconds(deps.clock.now())
  const payload = { ...metadata, iss: issuer, sub: issuer, iat, exp: iat + lifetimeSeconds }
  const signer = (await findAccessSigner(deps, tenantId)) ?? (await findChainSigner(deps, tenantId))
  return { jwt: signer ? await signWithChain(signer, payload) : await signWithDidKey(deps, tenant, payload) }
}

interface Payload extends Record<string, unknown> {
  exp: number
}

/** A key with its certificates. The chain is without the trust anchor, in base64. */
interface ChainSigner {
  key: Signer
  x5c: string[]
  notAfter: Date
}

/** Returns undefined if the active certificate is not valid now. */
async function findAccessSigner(
  { db, keyring, clock }: SigningDeps,
  tenantId: string,
): Promise<ChainSigner | undefined> {
  const row = await findActiveAccessCertificate(db.read, tenantId)
  const at = clock.now()
  if (!row || row.notBefore > at || row.notAfter <= at) return undefined
  const use = { purpose: 'certificate', algorithm: 'ES256' } as const
  const keyId = await findSigningKeyId(db.read, tenantId, accessKeyOwner(row.id), use)
  if (keyId === undefined) throw new Error(`access certificate ${row.id} has no key`)
  return { key: await keyring.signer(db.read, tenantId, keyId), x5c: row.chain, notAfter: row.notAfter }
}

async function findChainSigner(deps: SigningDeps, tenantId: string): Promise<ChainSigner | undefined> {
  try {
    const signer = await sdJwtSigner(deps, tenantId)
    return { key: signer.key, x5c: x5cOf(signer), notAfter: signer.notAfter }
  } catch (error) {
    if (error instanceof Problem && error.problem === 'credential_request_denied') return undefined
    throw error
  }
}

/** HAIP 1.0, section 4.1: the key is resolved by `x5c`. */
function signWithChain({ key, x5c, notAfter }: ChainSigner, payload: Payload): Promise<string> {
  const exp = Math.min(payload.exp, unixSeconds(notAfter))
  return signEs256Jwt(key, { typ, x5c }, { ...payload, exp })
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
