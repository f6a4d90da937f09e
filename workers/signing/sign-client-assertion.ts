import { holdTenant } from '../../db/hold.ts'
import { findCurrentKeys, findPublishedKeys, tenantOwner } from '../../db/repos/identifiers/keys.ts'
import { hourMs, plusMs, unixSeconds } from '../../shared/clock.ts'
import { keyPurposes } from '../../shared/domain/identifiers/key-purposes.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { newId, newOrderedId } from '../../shared/ids.ts'
import type { ClientAssertionRequest } from '../../shared/jobs/payloads.ts'
import type { SigningDeps } from './deps.ts'
import { txWithKeys } from './keys/tx-with-keys.ts'
import { replaceKeys } from './rotate-keys.ts'
import { signEs256Jwt } from './sign-jwt.ts'

const lifetimeSeconds = 60
const use = 'clientAssertions'
const purpose = keyPurposes[use]

/** Signs the assertion of a client (RFC 7523, section 3). Creates the key if the tenant has none. */
export async function signClientAssertion(
  deps: SigningDeps,
  { tenantId, clientId, audience }: ClientAssertionRequest,
): Promise<{ assertion: string }> {
  await makeAssertionKey(deps, tenantId)
  const key = await deps.keyring.signer(deps.db.read, tenantId, await signingKeyId(deps, tenantId))
  const iat = unixSeconds(deps.clock.now())
  const payload = { iss: clientId, sub: clientId, aud: audience, jti: newId(), iat, exp: iat + lifetimeSeconds }
  return { assertion: await signEs256Jwt(key, { kid: key.id }, payload) }
}

/**
 * Returns the id of the newest key that has been published for an hour, or else of the oldest key. A provider that cached the key set before
 * a rotation does not know the new key.
 */
async function signingKeyId({ db, clock }: SigningDeps, tenantId: string): Promise<string> {
  const at = clock.now()
  const published = await findPublishedKeys(db.read, tenantId, tenantOwner, purpose, at)
  const byAge = published.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const key = byAge.findLast(({ createdAt }) => createdAt <= plusMs(at, -hourMs)) ?? byAge[0]
  if (!key) throw new Error('the key was created before')
  return key.id
}

/** Creates the key of the assertions of a tenant. Does nothing if it has one. */
export async function makeAssertionKey(deps: SigningDeps, tenantId: string): Promise<Record<string, never>> {
  const hasKey = async (db = deps.db.read) => (await findCurrentKeys(db, tenantId, tenantOwner, purpose)).length > 0
  if (await hasKey()) return {}
  await txWithKeys(deps, async (tx, txDeps) => {
    const tenant = await holdTenant(tx, tenantId)
    if (tenant?.state !== 'active') throw new Problem('not_found')
    // Another process can have created it meanwhile.
    if (await hasKey(tx)) return
    const by = { event: 'KEY_CREATE', requestId: newOrderedId(deps.clock.now()) }
    await replaceKeys(tx, txDeps, tenant, { use, by })
  })
  return {}
}
