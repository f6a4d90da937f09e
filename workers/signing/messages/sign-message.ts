import { verify } from 'node:crypto'
import { findDidKey } from '../../../db/repos/identifiers/did-keys.ts'
import { unknownReference } from '../../../shared/errors/unknown-reference.ts'
import type { MessageToSign } from '../../../shared/jobs/payloads.ts'
import type { SigningDeps } from '../deps.ts'

/** Signs a compact JWS (RFC 7515, section 7.1) with a key of one of the tenant's DIDs. */
export async function signMessage(
  deps: SigningDeps,
  { tenantId, didUrl, payload, validUntil }: MessageToSign,
): Promise<{ jws: string }> {
  const { db, keyring, clock } = deps
  const key = await findDidKey(db.read, tenantId, didUrl, 'Ed25519', clock.now())
  if (!key || key.isRetired) throw unknownReference('didUrl', didUrl, 'GET /v1/dids')
  await deps.keyTerms.extendTo(tenantId, key.id, validUntil === undefined ? endOf(payload) : new Date(validUntil))
  const signingInput = [{ alg: 'EdDSA', kid: key.didUrl }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signer = await keyring.signer(db.read, tenantId, key.id)
  const signature = await signer.sign(Buffer.from(signingInput))
  if (!verify(null, Buffer.from(signingInput), signer.publicKey, signature))
    throw new Error('the new JWS does not verify')
  return { jws: `${signingInput}.${signature.toString('base64url')}` }
}

/** Returns the `exp` of the payload (RFC 7519, section 4.1.4). Without it the signature has no end. */
function endOf(payload: unknown): Date | undefined {
  if (typeof payload !== 'object' || payload === null || !('exp' in payload)) return undefined
  if (typeof payload.exp !== 'number') return undefined
  const end = new Date(payload.exp * 1000)
  return Number.isNaN(end.getTime()) ? undefined : end
}
