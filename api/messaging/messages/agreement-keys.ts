import { findDidKey, findDidsAmong } from '../../../db/repos/identifiers/did-keys.ts'
import { DidError } from '../../../shared/domain/identifiers/did-error.ts'
import { type OkpPublicJwk, parsePublicJwk } from '../../../shared/formats/jwk.ts'
import type { MessageRecipient } from '../../../shared/formats/jwm/seal-message.ts'
import type { Deps } from '../../deps.ts'
import { DidUrl } from './schemas.ts'

export interface Asking {
  deps: Deps
  tenantId: string
  deadlineAt: number
}

/** So many DIDs are resolved at once. */
const atOnce = 10

/**
 * The keys of X25519 that DID URLs name, or why there is none. The tenant's DIDs are looked up here, since a did:web of
 * its may not be published yet; those of others are resolved.
 */
export async function agreementKeysOf(
  asking: Asking,
  didUrls: readonly string[],
): Promise<(MessageRecipient | DidError)[]> {
  const { deps, tenantId } = asking
  const own = await findDidsAmong(deps.db.read, tenantId, [...new Set(didUrls.map(didOf))])
  const find = (didUrl: string) => (own.has(didOf(didUrl)) ? ownKeyOf(asking, didUrl) : resolvedKeyOf(asking, didUrl))
  const found: (MessageRecipient | DidError)[] = []
  while (found.length < didUrls.length) {
    const next = didUrls.slice(found.length, found.length + atOnce)
    found.push(...(await Promise.all(next.map((didUrl) => find(didUrl).catch(asDidError)))))
  }
  return found
}

/** What a job of a message costs beside others, in signatures: for each recipient some, and one for each 4 KB. */
export function messageWeight(recipients: number, length: number): number {
  return 8 * recipients + Math.ceil(length / 4_000)
}

export function didOf(didUrl: string): string {
  return didUrl.split('#', 1)[0] ?? didUrl
}

async function ownKeyOf({ deps, tenantId }: Asking, didUrl: string): Promise<MessageRecipient> {
  const key = await findDidKey(deps.db.read, tenantId, didUrl, 'X25519', deps.clock.now())
  if (!key) throw new DidError('no_such_key')
  return { didUrl: key.didUrl, jwk: agreementJwk(key.publicJwk) }
}

async function resolvedKeyOf({ deps, deadlineAt }: Asking, didUrl: string): Promise<MessageRecipient> {
  const { keyId, publicJwk } = await deps.dids.keyOf(didUrl, 'keyAgreement', { curves: ['X25519'], deadlineAt })
  // A document of others names its keys as it likes: what can be no `kid` of a message is no key for one.
  if (!DidUrl.safeParse(keyId).success) throw new DidError('no_such_key')
  return { didUrl: keyId, jwk: agreementJwk(publicJwk) }
}

function agreementJwk(value: object): OkpPublicJwk {
  const jwk = parsePublicJwk(value)
  if (jwk.crv !== 'X25519') throw new Error('not a key of X25519')
  return jwk
}

function asDidError(error: unknown): DidError {
  if (error instanceof DidError) return error
  throw error
}
