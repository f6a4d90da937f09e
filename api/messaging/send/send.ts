import type { Writer } from '../../../db/client.ts'
import { putIntoInboxes } from '../../../db/repos/messaging/inbox-messages.ts'
import {
  addToLine,
  countWaitingIn,
  countWaitingOf,
  holdLineTo,
  holdOrMakeLine,
} from '../../../db/repos/messaging/outgoing-messages.ts'
import type { EncryptedMessage } from '../../../shared/domain/messaging/messages.ts'
import { ceilings } from '../../../shared/domain/tenancy/limits.ts'
import { Problem, wrongField } from '../../../shared/errors.ts'
import { didWebDocumentUrl, splitDidUrl } from '../../../shared/formats/did.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'

/** Messages to one recipient that wait; the tenant's ceiling is for all of them. */
const mostWaiting = 1_000

interface Sent {
  recipient: string
  message: EncryptedMessage
  requestId: string
  at: Date
}

/**
 * Sends a message, which is certain once this returns: it is in the inboxes of this service that take those of its recipient, or
 * in the line of those that go to its address, behind all that went there before. Throws `bad_request`, and `conflict` where
 * inboxes or lines are full.
 */
export async function sendMessage(
  { db, bus, clock }: Deps,
  tenant: Tenant,
  requestId: string,
  { to, message }: { to: string; message: EncryptedMessage },
): Promise<void> {
  const { did: recipient, method } = readRecipient(to)
  const sent = { recipient, message, requestId, at: clock.now() }
  const isQueued = await db.tx(async (tx) => {
    const line = await holdLineTo(tx, tenant.id, recipient)
    if (!line || line.nextAttemptAt === null) {
      const put = await putIntoInboxes(tx, { senderId: tenant.id, ...sent })
      if (put === 'full') throw new Problem('conflict', { message: "The recipient's inbox is full" })
      if (put === 'put') return false
    }
    // Of all methods that are resolved here, the documents of this one alone can name an address.
    if (method !== 'web')
      throw wrongField('to', 'No inbox here takes its messages, and it names no address to send them to', to)
    await addToItsLine(tx, tenant, sent)
    return true
  })
  if (isQueued) bus.poke()
}

function readRecipient(to: string): { did: string; method: string } {
  try {
    const recipient = splitDidUrl(to)
    // One that names no host would be found out when it is sent, and tried again for a day.
    if (recipient.method === 'web') didWebDocumentUrl(recipient.did)
    return recipient
  } catch (error) {
    if (error instanceof FormatError) throw wrongField('to', 'Must be a DID, or a DID URL of one of its keys', to)
    throw error
  }
}

async function addToItsLine(tx: Writer, tenant: Tenant, { recipient, message, requestId, at }: Sent): Promise<void> {
  const line = await holdOrMakeLine(tx, tenant.id, recipient, at)
  if ((await countWaitingIn(tx, tenant.id, line.id, mostWaiting)) >= mostWaiting)
    throw new Problem('conflict', { message: `There may be ${mostWaiting} messages to a recipient that wait at most` })
  const most = tenant.settings.limits.outgoingMessages ?? ceilings.outgoingMessages
  const waiting = await countWaitingOf(tx, tenant.id, most)
  if (waiting >= most) throw new Problem('conflict', { message: `There may be ${most} messages that wait at most` })
  // As urgent as the tenant's backlog is short: one of a quiet tenant overtakes another's thousands.
  await addToLine(tx, line, { message, requestId, priority: Math.min(waiting, leastUrgent), at })
}

const leastUrgent = 5_000
