import {
  findInboxesFor,
  findUnproven,
  proveRegistration,
  type UnprovenDid,
} from '../../../db/repos/messaging/inbox-dids.ts'
import { putIntoInboxes } from '../../../db/repos/messaging/inbox-messages.ts'
import { holdLineTo, type LineRow, type WaitingMessage } from '../../../db/repos/messaging/outgoing-messages.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem } from '../../../shared/errors.ts'
import { thumbprint } from '../../../shared/formats/jwk.ts'
import type { DeliveryDeps } from '../deps.ts'
import type { SendAnswer } from './attempt-message.ts'

/**
 * Puts a message into the inboxes of this service that take those of its recipient, which may have been registered since it was
 * sent. Undefined when there is none; otherwise what an answer of a receiver would say.
 */
export async function putHere(
  deps: DeliveryDeps,
  { tenantId, recipient }: Pick<LineRow, 'tenantId' | 'recipient'>,
  { message }: WaitingMessage,
): Promise<SendAnswer | undefined> {
  const { db, clock } = deps
  await confirm(deps, recipient)
  if ((await findInboxesFor(db.read, tenantId, recipient)).length === 0) return undefined
  const put = await db.tx(async (tx) => {
    await holdLineTo(tx, tenantId, recipient)
    return putIntoInboxes(tx, { senderId: tenantId, recipient, message, at: clock.now() })
  })
  if (put === 'nowhere') return undefined
  return put === 'put' ? { status: 200 } : { error: 'The inbox of the recipient is full' }
}

/** A did:web that a tenant made for another domain counts for everybody from when the domain publishes the tenant's key. */
async function confirm({ db, dids, clock }: DeliveryDeps, did: string): Promise<void> {
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
