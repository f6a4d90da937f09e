import type { Writer } from '../../../db/client.ts'
import { storeInInboxes } from '../../../db/repos/messaging/inbox-messages.ts'
import {
  addToLine,
  countWaitingIn,
  countWaitingOf,
  holdLineTo,
  holdOrMakeLine,
} from '../../../db/repos/messaging/outgoing-messages.ts'
import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { defaultQuotas } from '../../../shared/domain/tenancy/limits.ts'
import { Problem, wrongField } from '../../../shared/errors/errors.ts'
import { didWebDocumentUrl, splitDidUrl } from '../../../shared/formats/did.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { OperatorCall } from '../../http/idempotency.ts'

/** The maximum number of waiting messages to one recipient. The tenant's limit applies to all recipients together. */
const maxWaiting = 1_000

interface Sent {
  recipient: string
  message: EncryptedMessage
  requestId: string
  at: Date
}

/**
 * Stores a message for delivery. After it returns, the message is in the inboxes where the recipient is registered, or at the end of
 * the outgoing queue of the recipient. Throws `bad_request`, and `conflict` if an inbox or a queue is full.
 */
export async function sendMessage(
  { deps, tenant, requestId, commitAnswer }: Pick<OperatorCall, 'deps' | 'tenant' | 'requestId' | 'commitAnswer'>,
  { to, message }: { to: string; message: EncryptedMessage },
): Promise<void> {
  const { db, bus, clock } = deps
  const { did: recipient, method } = readRecipient(to)
  const sent = { recipient, message, requestId, at: clock.now() }
  const isQueued = await db.tx(async (tx) => {
    await commitAnswer(tx, undefined)
    const queue = await holdLineTo(tx, tenant.id, recipient)
    if (!queue || queue.nextAttemptAt === null) {
      const put = await storeInInboxes(tx, { senderId: tenant.id, ...sent })
      if (put === 'full') throw new Problem('conflict', { message: "The recipient's inbox is full. Try again later." })
      if (put === 'put') return false
    }
    // did:web is the only supported method whose documents can have a service address.
    if (method !== 'web')
      throw wrongField('to', 'The DID is not registered at an inbox of this service and has no service address', to)
    await enqueue(tx, tenant, sent)
    return true
  })
  if (isQueued) bus.poke()
}

function readRecipient(to: string): { did: string; method: string } {
  try {
    const recipient = splitDidUrl(to)
    // Checks the host of a did:web now. Otherwise the delivery would fail and be retried for a day.
    if (recipient.method === 'web') didWebDocumentUrl(recipient.did)
    return recipient
  } catch (error) {
    if (error instanceof FormatError) throw wrongField('to', 'Must be a DID or a DID URL of one of its keys', to)
    throw error
  }
}

async function enqueue(tx: Writer, tenant: Tenant, { recipient, message, requestId, at }: Sent): Promise<void> {
  const queue = await holdOrMakeLine(tx, tenant.id, recipient, at)
  if ((await countWaitingIn(tx, tenant.id, queue.id, maxWaiting)) >= maxWaiting)
    throw new Problem('conflict', {
      message: `At most ${maxWaiting} messages to a recipient can wait. Try again later.`,
    })
  const max = tenant.settings.limits.outgoingMessages ?? defaultQuotas.outgoingMessages
  const waiting = await countWaitingOf(tx, tenant.id, max)
  if (waiting >= max)
    throw new Problem('conflict', { message: `At most ${max} messages of a tenant can wait. Try again later.` })
  // A tenant with fewer waiting messages gets a higher priority, so that its message is not behind the backlog of another tenant.
  await addToLine(tx, queue, { message, requestId, priority: Math.min(waiting, leastUrgent), at })
}

const leastUrgent = 5_000
