import { findDidKey, findDidsAmong } from '../../../db/repos/identifiers/did-keys.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { type OkpPublicJwk, parsePublicJwk } from '../../../shared/formats/jwk.ts'
import type { MessageRecipient } from '../../../shared/formats/jwm/seal-message.ts'
import type { Deps } from '../../deps.ts'
import { DidUrl } from './schemas.ts'

export interface MessageContext {
  deps: Deps
  tenantId: string
  deadlineAt: number
}

/** The number of DIDs that are resolved concurrently. */
const concurrency = 10

/**
 * Returns the X25519 key for each DID URL, or the error if there is none. Keys of the tenant's DIDs are read from the database,
 * because a did:web of the tenant may not be published yet. Other DIDs are resolved.
 */
export async function agreementKeysOf(
  context: MessageContext,
  didUrls: readonly string[],
): Promise<(MessageRecipient | DidError)[]> {
  const { deps, tenantId } = context
  const own = await findDidsAmong(deps.db.read, tenantId, [...new Set(didUrls.map(didOf))])
  const find = (didUrl: string) => (own.has(didOf(didUrl)) ? ownKeyOf(context, didUrl) : resolvedKeyOf(context, didUrl))
  const results: (MessageRecipient | DidError)[] = []
  while (results.length < didUrls.length) {
    const next = didUrls.slice(results.length, results.length + concurrency)
    results.push(...(await Promise.all(next.map((didUrl) => find(didUrl).catch(asDidError)))))
  }
  return results
}

/** Returns the cost of a message job, in signatures: 8 for each recipient, and 1 for each 4 KB. */
export function messageWeight(recipients: number, length: number): number {
  return 8 * recipients + Math.ceil(length / 4_000)
}

export function didOf(didUrl: string): string {
  return didUrl.split('#', 1)[0] ?? didUrl
}

async function ownKeyOf({ deps, tenantId }: MessageContext, didUrl: string): Promise<MessageRecipient> {
  const key = await findDidKey(deps.db.read, tenantId, didUrl, 'X25519', deps.clock.now())
  if (!key) throw new DidError('no_such_key')
  return { didUrl: key.didUrl, jwk: agreementJwk(key.publicJwk) }
}

async function resolvedKeyOf({ deps, deadlineAt }: MessageContext, didUrl: string): Promise<MessageRecipient> {
  const { keyId, publicJwk } = await deps.dids.keyOf(didUrl, 'keyAgreement', { curves: ['X25519'], deadlineAt })
  // An external document can have any key ids. A key id that cannot be the `kid` of a message is refused.
  if (!DidUrl.safeParse(keyId).success) throw new DidError('no_such_key')
  return { didUrl: keyId, jwk: agreementJwk(publicJwk) }
}

function agreementJwk(value: object): OkpPublicJwk {
  const jwk = parsePublicJwk(value)
  if (jwk.crv !== 'X25519') throw new Error('not an X25519 key')
  return jwk
}

function asDidError(error: unknown): DidError {
  if (error instanceof DidError) return error
  throw error
}
