import { tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { signatureBase, signatureHeaders } from '../../shared/formats/http-signature.ts'
import type { WebhookSignatureRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'

/** Returns the signature headers of a webhook request (RFC 9421), signed with the tenant's webhook key. */
export async function signWebhook(
  deps: SigningDeps,
  { tenantId, method, url, headers }: WebhookSignatureRequest,
): Promise<{ headers: Record<string, string> }> {
  const use = { purpose: 'webhook', algorithm: 'Ed25519' } as const
  const key = await deps.currentKeys.of(deps.db.read, tenantId, tenantOwner, use)
  const createdAt = deps.clock.now()
  const { base, signatureInput } = signatureBase({ method, url, headers, keyId: key.id, createdAt })
  return { headers: signatureHeaders(signatureInput, await key.sign(Buffer.from(base))) }
}
