import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { AuthorizationServerRow } from '../../../db/repos/issuance/authorization-servers.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { bodyText } from '../../../shared/outbound/text-of.ts'
import type { Deps } from '../../deps.ts'
import { defineCache } from '../../process/caches.ts'
import { fetchAuthorizationServer } from '../../relying-party/discover.ts'
import { partyOfServer } from '../authorization-servers/discovery.ts'

const timeoutMs = 5_000
const maxResponseBytes = 500_000
/** The keys are read again after this time. */
const freshMs = 10 * 60_000
/** The shortest time between two attempts, also for tokens with unknown keys and while the server does not answer. */
const brakeMs = 10_000
/** Keys that were read are used for this time while the server does not answer. */
const usableMs = 24 * 3_600_000

interface ReadKeys {
  find: JWTVerifyGetKey
  readAt: number
}

interface Entry {
  keys?: ReadKeys
  attemptedAt: number
  attempt?: Promise<ReadKeys>
  /** Whether the last attempt failed. */
  isAway?: boolean
}

/** The verification keys of each authorization server, by its row and issuer. */
const serverKeysCache = defineCache<string, Entry>('authorizationServerKeys', { max: 1_000 })

/**
 * Returns the keys of the server, which are at most ten minutes old, or at most a day while it does not answer. Concurrent requests share
 * one attempt to read them. Throws `service_unavailable` if there are none.
 */
export async function findServerKeys(deps: Deps, server: AuthorizationServerRow): Promise<JWTVerifyGetKey> {
  const entry = entryOf(deps, server)
  const now = deps.clock.now().getTime()
  const { keys } = entry
  if (keys && now - keys.readAt < freshMs) return keys.find
  const read = await readAgain(deps, server, entry).catch((err: unknown) => {
    deps.log.warn({ err, tenantId: server.tenantId, serverId: server.id }, 'authorization server keys not read')
  })
  if (read) return read.find
  if (keys && now - keys.readAt < usableMs) return keys.find
  throw unreadableKeys()
}

/**
 * Returns the keys after another attempt to read them, for a token with an unknown key. Returns undefined if the brake allows none.
 * Throws `service_unavailable` if the server does not answer: the key can be a new one of it.
 */
export async function findNewerKeys(deps: Deps, server: AuthorizationServerRow): Promise<JWTVerifyGetKey | undefined> {
  const entry = entryOf(deps, server)
  const keys = await readAgain(deps, server, entry).catch(() => undefined)
  if (!keys && entry.isAway) throw unreadableKeys()
  return keys?.find
}

function unreadableKeys(): Problem {
  const message = 'The keys of the authorization server cannot be read. Try again later'
  return new Problem('service_unavailable', { message, check: 'token_server' })
}

function entryOf({ caches }: Deps, { id, issuer }: AuthorizationServerRow): Entry {
  const cache = caches.of(serverKeysCache)
  const key = `${id} ${issuer}`
  const entry = cache.get(key) ?? { attemptedAt: 0 }
  cache.set(key, entry)
  return entry
}

/** Joins the attempt in progress, or starts one. Returns undefined if the last one was too short a time ago. */
async function readAgain(deps: Deps, server: AuthorizationServerRow, entry: Entry): Promise<ReadKeys | undefined> {
  const now = deps.clock.now().getTime()
  if (!entry.attempt) {
    if (now - entry.attemptedAt < brakeMs) return undefined
    entry.attemptedAt = now
    const attempt = readKeys(deps, server, now)
    entry.attempt = attempt
    attempt.then(
      (keys) => Object.assign(entry, { keys, attempt: undefined, isAway: false }),
      () => Object.assign(entry, { attempt: undefined, isAway: true }),
    )
  }
  return entry.attempt && deps.withoutSlot(entry.attempt)
}

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

/** Reads the discovery document and the keys. The address of the keys can change, so both are read together. */
async function readKeys(deps: Deps, server: AuthorizationServerRow, readAt: number): Promise<ReadKeys> {
  const configuration = await fetchAuthorizationServer(deps, partyOfServer(deps, server), timeoutMs)
  const { issuer, jwks_uri: url } = configuration.serverMetadata()
  if (issuer !== server.issuer || url === undefined)
    throw new Error('the discovery document has another issuer or no keys')
  const { status, body } = await deps.outbound.request({ method: 'GET', url, headers: {}, timeoutMs, maxResponseBytes })
  if (status !== 200) throw new Error(`the key set has status ${status}`)
  return { find: createLocalJWKSet(KeySet.parse(JSON.parse(bodyText(body)))), readAt }
}
