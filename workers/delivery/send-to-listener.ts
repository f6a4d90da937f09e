import { setTimeout as sleep } from 'node:timers/promises'
import {
  deleteListenerRequest,
  findListenerAnswer,
  insertListenerRequest,
} from '../../db/repos/operations/webhooks/listeners.ts'
import type { WebhookRow } from '../../db/repos/operations/webhooks/webhooks.ts'
import type { ListenerAnswer } from '../../db/tables/operations/listener-requests.ts'
import {
  type ListenerRequest,
  streamLostAfterMs,
  webhookListenerLeaseMs,
} from '../../shared/domain/operations/listeners.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { listenerRequestContext } from '../../shared/secrets/stored-contexts.ts'
import { AttemptPostponed } from './attempt-postponed.ts'
import type { DeliveryDeps } from './deps.ts'
import type { PostAnswer } from './post.ts'

/** Shorter than the time after which a delivery counts as lost (due-deliveries.ts). */
const timeoutMs = 8_000
const checkEveryMs = 100
const pauseWithoutStreamMs = 1_000

/** Throws `AttemptPostponed` if the listener has no stream. Returns false if the lease has ended. */
export function requireStream({ leasedUntil }: Pick<WebhookRow, 'leasedUntil'>, at: Date): boolean {
  const leftMs = leasedUntil === null ? webhookListenerLeaseMs : leasedUntil.getTime() - at.getTime()
  if (leftMs <= 0) return false
  if (leftMs < webhookListenerLeaseMs - streamLostAfterMs) throw new AttemptPostponed(pauseWithoutStreamMs)
  return true
}

/** Gives a signed request to the stream of a listener, and waits for the answer that the listener reports. */
export async function sendToListener(
  { db, secrets, clock }: Pick<DeliveryDeps, 'db' | 'secrets' | 'clock'>,
  { tenantId, webhookId }: { tenantId: string; webhookId: string },
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<PostAnswer> {
  const createdAt = clock.now()
  const id = newOrderedId(createdAt)
  const { pathname, search } = new URL(url)
  const request: ListenerRequest = { method: 'POST', target: pathname + search, headers, body }
  const sealedRequest = secrets.seal(JSON.stringify(request), listenerRequestContext(id))
  await db.tx((tx) => insertListenerRequest(tx, { id, tenantId, webhookId, sealedRequest, createdAt }))
  try {
    for (const endsAt = performance.now() + timeoutMs; performance.now() < endsAt; await sleep(checkEveryMs)) {
      const answer = await findListenerAnswer(db.read, tenantId, id)
      if (answer) return answerOf(answer)
    }
    return { error: 'The listener did not report an answer in time' }
  } finally {
    await db.tx((tx) => deleteListenerRequest(tx, tenantId, id))
  }
}

function answerOf({ status, answer, error = 'The receiver did not answer' }: ListenerAnswer): PostAnswer {
  return status === undefined ? { error } : { status, ...(answer && { answer }) }
}
