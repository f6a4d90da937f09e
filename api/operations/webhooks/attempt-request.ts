import { eventPayloads, type OpenIssued } from '../../../db/event-payloads.ts'
import { type DeliveryRow, subjectKindOf } from '../../../db/repos/operations/webhooks/deliveries.ts'
import type { DeliveryAttempt } from '../../../db/tables/operations/deliveries.ts'
import {
  type SentRequest,
  type WebhookAttempt,
  webhookBody,
  webhookHeaders,
} from '../../../shared/domain/operations/webhook-requests.ts'
import { contentDigest, signatureBase } from '../../../shared/formats/http-signature.ts'
import { openCredentials } from '../../../shared/jobs/answered-credentials.ts'
import type { Deps } from '../../deps.ts'

/**
 * Returns the request of an attempt: its headers, the text that was signed, and its body. The body is not stored. It is made again from what
 * the event is about, and left out if that was erased or if the digest is not that of the sent body.
 */
export async function attemptRequest(deps: Deps, delivery: DeliveryRow, { id, at, request }: DeliveryAttempt) {
  if (!request) return { id, at, method: 'POST' as const }
  const attempt = { id, at: new Date(at), webhookId: delivery.webhookId }
  const { eventId, kind: type } = delivery
  const headers = webhookHeaders(attempt, { id: eventId, type }, request.digest)
  const signed = signedText(request, headers)
  const body = await bodyOf(deps, delivery, attempt)
  return {
    id,
    at,
    method: 'POST' as const,
    url: request.url,
    headers: { ...headers, 'signature-input': signed.signatureInput, signature: request.signature },
    signatureBase: signed.base,
    ...(body !== undefined && contentDigest(body) === request.digest && { body }),
  }
}

function signedText({ url, keyId, created }: SentRequest, headers: Record<string, string>) {
  return signatureBase({ method: 'POST', url, headers, keyId, createdAt: new Date(created * 1000) })
}

async function bodyOf(
  { db, secrets }: Deps,
  delivery: DeliveryRow,
  attempt: WebhookAttempt,
): Promise<string | undefined> {
  const subjectKind = subjectKindOf(delivery)
  // Only another version has the kind.
  if (!Object.hasOwn(eventPayloads, subjectKind)) return undefined
  const openIssued: OpenIssued = (issuanceId, stored) => openCredentials(secrets, issuanceId, stored)
  const payload = await eventPayloads[subjectKind]({ db: db.read, openIssued }, delivery)
  const { eventId: id, kind: type, eventAt } = delivery
  return payload && webhookBody(attempt, { id, type, timestamp: eventAt.toISOString(), payload })
}
