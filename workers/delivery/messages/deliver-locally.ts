import {
  findInboxesFor,
  findUnproven,
  proveRegistration,
  type UnprovenDid,
} from '../../../db/repos/messaging/inbox-dids.ts'
import { storeInInboxes } from '../../../db/repos/messaging/inbox-messages.ts'
import { holdLineTo, type LineRow, type WaitingMessage } from '../../../db/repos/messaging/outgoing-messages.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import type { DeliveryDeps } from '../deps.ts'
import type { SendAnswer } from './attempt-message.ts'

/**
 * Stores a message in the inboxes of this service with the DID of its recipient, which can be newer than the message. Returns undefined if
 * there is none, or else an answer like that of a receiver.
 */
export async function deliverLocally(
  deps: DeliveryDeps,
  { tenantId, recipient }: Pick<LineRow, 'tenantId' | 'recipient'>,
  { message }: WaitingMessage,
): Promise<SendAnswer | undefined> {
  const { db, clock } = deps
  await proveRegistrations(deps, recipient)
  if ((await findInboxesFor(db.read, tenantId, recipient)).length === 0) return undefined
  const put = await db.tx(async (tx) => {
    await holdLineTo(tx, tenantId, recipient)
    return storeInInboxes(tx, { senderId: tenantId, recipient, message, at: clock.now() })
  })
  if (put === 'nowhere') return undefined
  return put === 'put' ? { status: 200 } : { error: 'The inbox of the recipient is full' }
}

/** Marks the registrations of a did:web of another domain whose key the domain publishes. They then count for all tenants. */
async function proveRegistrations({ db, dids, clock }: DeliveryDeps, did: string): Promise<void> {
  for (const registration of await findUnproven(db.read, did)) {
    if (!(await isPublished(dids, registration))) continue
    const { tenantId, id } = registration
    await db.tx((tx) => proveRegistration(tx, tenantId, id, clock.now()))
  }
}

async function isPublished(dids: DeliveryDeps['dids'], { document }: UnprovenDid): Promise<boolean> {
  const method = document?.verificationMethod.find((each) => 'publicKeyJwk' in each)
  if (!method || !('publicKeyJwk' in method)) return false
  try {
    const { publicJwk } = await dids.keyOf(method.id, 'authentication')
    return thumbprint(publicJwk) === thumbprint(method.publicKeyJwk)
  } catch (error) {
    if (error instanceof DidError || error instanceof Problem) return false
    throw error
  }
}
