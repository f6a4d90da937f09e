import type { LineRow, WaitingMessage } from '../../../db/repos/messaging/outgoing-messages.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { didWebDocumentUrl } from '../../../shared/formats/did.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import type { AttemptSlot } from '../attempt-limiter.ts'
import type { DeliveryDeps } from '../deps.ts'
import { type PostAnswer, post } from '../post.ts'
import { findServiceEndpoint } from './service-endpoint.ts'

export type SendAnswer = Omit<PostAnswer, 'answer'>

/** Returns the receiver for the attempt limiter: a tenant and the host of the recipient. */
export function receiverOf({ tenantId, recipient }: Pick<LineRow, 'tenantId' | 'recipient'>): string {
  return `${tenantId} ${hostOf(recipient)}`
}

function hostOf(did: string): string {
  try {
    return new URL(didWebDocumentUrl(did)).host
  } catch (error) {
    if (error instanceof FormatError) return did
    throw error
  }
}

/** Sends a message once to the address in the DID document of its recipient (DIDComm v2, section "HTTPS"). */
export async function attemptMessage(
  deps: DeliveryDeps,
  slot: AttemptSlot,
  { recipient }: Pick<LineRow, 'recipient'>,
  { message }: WaitingMessage,
): Promise<SendAnswer> {
  const headers = { 'content-type': 'application/didcomm-encrypted+json', 'user-agent': 'Trustwright' }
  const { answer: _, ...answer } = await slot.measure(async (): Promise<PostAnswer> => {
    const url = await endpointOf(deps, recipient)
    return typeof url === 'string' ? post(deps, url, headers, JSON.stringify(message)) : url
  })
  return answer
}

async function endpointOf({ dids, config }: DeliveryDeps, recipient: string): Promise<string | { error: string }> {
  try {
    const endpoint = findServiceEndpoint(await dids.resolve(recipient), { allowLoopback: config.outboundAllowLoopback })
    return endpoint ?? { error: 'The DID document has no https address for messages' }
  } catch (error) {
    if (error instanceof DidError || error instanceof Problem) return { error: error.message }
    throw error
  }
}
