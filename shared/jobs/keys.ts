import { createBatcher } from './batcher.ts'
import type { Bus } from './bus.ts'
import type {
  EncryptedRequest,
  IssuanceRef,
  ManagementTokenRequest,
  MetadataSignatureRequest,
  WebhookSignatureRequest,
} from './registry.ts'

/**
 * What can be asked of the signing process, one typed method per purpose; there is no "sign these bytes". All of them
 * throw `service_unavailable` at their deadline.
 */
export interface Keys {
  /** Makes a new tenant's keys and sets it to `active`. */
  provisionTenant(tenantId: string): Promise<void>
  /** Signs a requested issuance; its row holds the result. Throws the problem for which it was refused. */
  signCredential(issuance: IssuanceRef): Promise<void>
  signManagementToken(request: ManagementTokenRequest): Promise<string>
  /** The `signature-input` and `signature` headers (RFC 9421) that go with the request. */
  signWebhook(request: WebhookSignatureRequest): Promise<Record<string, string>>
  rotateWebhookKey(tenantId: string): Promise<string>
  /** What was encrypted for the tenant. Throws `invalid_encryption_parameters` when it cannot be opened. */
  decryptRequest(request: EncryptedRequest): Promise<Buffer>
  /** Issuer metadata as a JWT (OpenID4VCI 1.0, section 12.2.3). */
  signIssuerMetadata(request: MetadataSignatureRequest): Promise<string>
}

const inFlight = 1
const most = 64

export function createKeys(bus: Bus, deadlineMs: number): Keys {
  const deadline = { deadlineMs }
  const credentials = createBatcher<IssuanceRef, null>({
    send: (items) => bus.call('signCredentials', { items }, deadline),
    inFlight,
    most,
    gatherInCompanyMs: 8,
  })
  const tokens = createBatcher<ManagementTokenRequest, { accessToken: string }>({
    send: (items) => bus.call('signManagementTokens', { items }, deadline),
    inFlight,
    most,
  })
  const webhooks = createBatcher<WebhookSignatureRequest, { headers: Record<string, string> }>({
    send: (items) => bus.call('signWebhooks', { items }, deadline),
    inFlight,
    most,
    gatherMs: 15,
  })
  const requests = createBatcher<EncryptedRequest, { plaintext: string }>({
    send: (items) => bus.call('decryptRequests', { items }, deadline),
    inFlight,
    // These are as large as requests are.
    most: 16,
  })
  return {
    async provisionTenant(tenantId) {
      await bus.call('provisionTenant', { tenantId }, deadline)
    },
    async signCredential(issuance) {
      await credentials(issuance)
    },
    async signManagementToken(request) {
      return (await tokens(request)).accessToken
    },
    async signWebhook(request) {
      return (await webhooks(request)).headers
    },
    async rotateWebhookKey(tenantId) {
      return (await bus.call('rotateWebhookKey', { tenantId }, deadline)).keyId
    },
    async decryptRequest(request) {
      return Buffer.from((await requests(request)).plaintext, 'base64')
    },
    async signIssuerMetadata(request) {
      return (await bus.call('signIssuerMetadata', request, deadline)).jwt
    },
  }
}
