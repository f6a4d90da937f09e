import { randomBytes } from 'node:crypto'
import { authenticateHolder } from '../../../api/access/holder.ts'
import type { Tenant } from '../../../api/access/subjects.ts'
import type { Deps } from '../../../api/deps.ts'
import { credentialRoutes } from '../../../api/issuance/credential/routes.ts'
import { createCaches } from '../../../api/process/caches.ts'
import { newNonce } from '../../../api/proofs/nonce.ts'
import { insertConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { findSessionWithClaims } from '../../../db/repos/issuance/users/known-claims.ts'
import { authorizations } from '../../../db/tables/issuance/authorizations.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { type Claims, users } from '../../../db/tables/issuance/users.ts'
import { defaultSettings, type TenantSettings, tenants } from '../../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { hashSecret, newId, newSecretOf } from '../../../shared/ids.ts'
import { answerOf, sealCredentials } from '../../../shared/jobs/answered-credentials.ts'
import type { IssuanceRequest } from '../../../shared/jobs/payloads.ts'
import { createOutbound } from '../../../shared/outbound/outbound.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { commitCredentials } from '../../../workers/signing/commit-credentials.ts'
import { findRequestsToSign, type NotWritten } from '../../../workers/signing/unwritten-issuances.ts'
import { openNewDatabase } from '../../harness/database.ts'
import { type HolderKeyPair, makeProof } from '../../wallets/wallet.ts'

/** A signature that the API requests. */
export interface SignatureRequest {
  job: string
  item: IssuanceRequest
  deadlineAt: number
}

interface SigningQueue {
  requests: SignatureRequest[]
  /** Whether a signing process takes requests. */
  isServed: boolean
  answer(request: SignatureRequest): Promise<string | null>
}

interface NewSession {
  configurationIds: string[]
  credentialIdentifiers?: Record<string, string>
  /** Of an authorization, without an offer, instead of a pre-authorized offer. */
  isAuthorized?: boolean
  credentialsLeft?: number
  offerClaims?: Claims
  hookClaims?: Claims
  user?: Partial<typeof users.$inferInsert>
}

interface Circumstances {
  settings?: Partial<TenantSettings>
  deps?: Partial<Deps>
}

export type Session = Awaited<ReturnType<Endpoint['newSession']>>
export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>

/**
 * The routes for credentials, with a database and secrets of their own. The test is the signing queue. `sign` commits like the
 * signing process, with texts in the place of signed credentials.
 */
export async function openEndpoint() {
  const database = await openNewDatabase()
  const { db } = database
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  const secrets = createSecrets([randomBytes(32)])
  const clock = { now: () => now }
  const outbound = createOutbound({ allowLoopback: true, clock })
  const queue: SigningQueue = { requests: [], isServed: true, answer: sign }
  const poked = { times: 0 }
  const events: string[] = []
  // Boundary: the members that the routes read.
  const deps = {
    ...{ db, secrets, clock, outbound, caches: createCaches(), config: { credentialDeadlineMs: 8000 } },
    keys: {
      hasSigner: () => queue.isServed,
      request(job: string, item: IssuanceRequest, { deadlineAt }: { deadlineAt: number }) {
        const request = { job, item, deadlineAt }
        queue.requests.push(request)
        return queue.answer(request)
      },
    },
    bus: { poke: () => poked.times++ },
    analytics: { emit: ({ type }: { type: string }) => events.push(type) },
  } as unknown as Deps
  const addresses = { baseUrl: 'https://issuer.example', issuer: 'https://issuer.example' }
  const tenant = {
    ...{ id: 'tenant', kind: 'tenant', name: 'University', host: 'issuer.example', ...addresses },
    ...{
      view: undefined,
      throughViews: [],
      did: 'did:web:issuer.example',
      settings: defaultSettings,
      profile: 'standard',
      isReadOnly: false,
      sealedSecret: null,
    },
  } as const satisfies Tenant
  const { id: tenantId, kind, name, did } = tenant
  const row = { id: tenantId, kind, name, did, state: 'active', subdomain: 'issuer', canonicalHost: 'issuer.example' }
  await db.tx((tx) => tx.insert(tenants).values({ ...row, settings: defaultSettings, createdAt: now } as never))

  /** Commits a credential for each key. Returns what the signing process answers. */
  async function sign({ item }: Pick<SignatureRequest, 'item'>): Promise<string | null> {
    const { issuanceId } = item
    const requests = await findRequestsToSign(deps as never, tenantId, [item])
    const [toSign] = requests.toSign
    if (!toSign) return answerTo(requests.notWritten.get(issuanceId))
    const { issuance, unwritten } = toSign
    const credentials = issuance.holderKeys.map(({ jwk }) => ({
      ...{ id: newId(), format: 'cwt' },
      credential: JSON.stringify({ issuanceId, claims: issuance.claims, key: jwk.x }),
    }))
    const sealed = sealCredentials(secrets, issuanceId, credentials)
    const signed = {
      issuance,
      unwritten: unwritten!,
      credentials,
      sealed,
      records: [],
      entries: [],
      stored: [],
      certificateIds: [],
    }
    const batch = { tenantId, signed: [signed], refused: [], traceparents: new Map() }
    const committed = await commitCredentials(deps as never, batch)
    if (committed.issued.has(issuanceId)) return answerOf(sealed)
    if (committed.notWritten.has(issuanceId)) return answerTo(committed.notWritten.get(issuanceId))
    const isTooMany = committed.losses.get(issuanceId) === 'too_many'
    throw new Problem(isTooMany ? 'collected_enough' : 'credential_request_denied')
  }

  function answerTo(reason: NotWritten | undefined): null {
    if (reason === 'issued') return null
    if (reason === 'repeated') throw new Problem('invalid_nonce')
    throw new Problem(reason === 'session_ended' ? 'invalid_token' : 'service_unavailable')
  }

  async function newConfiguration(settings: Record<string, unknown> = {}): Promise<string> {
    const id = newId()
    const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }
    const content = {
      id,
      profile: 'compact',
      type: id,
      settings: { claimMappings, revocable: false, ...settings },
    } as const
    await db.tx((tx) => insertConfiguration(tx, tenantId, content, now))
    return id
  }

  /** Returns the rows of a session, and what its wallet can request. */
  async function newSession({ configurationIds, isAuthorized = false, ...more }: NewSession) {
    const [id, userId, otherId] = [newId(), newId(), newId()]
    const [offerId, authorizationId] = isAuthorized ? [null, otherId] : [otherId, null]
    const token = newSecretOf(id)
    const expiresAt = plusMs(now, 300_000)
    const common = { tenantId, userId, configurationIds, expiresAt, createdAt: now }
    const { offerClaims: claims = { given_name: 'Ada' }, hookClaims = null, credentialIdentifiers = {} } = more
    await db.tx(async (tx) => {
      await tx.insert(users).values({ tenantId, claims: {}, createdAt: now, ...more.user, id: userId })
      const offer = {
        ...common,
        claims,
        state: 'spent',
        codeHash: '',
        wrongTransactionCodes: 0,
        sessionId: id,
      } as const
      if (offerId !== null) await tx.insert(offers).values({ ...offer, id: offerId })
      const request = { clientId: 'wallet', redirectUri: '', detailsRequested: false, codeChallenge: '' }
      const authorization = { ...common, ...request, state: 'redeemed', requestParameters: {}, hookClaims } as const
      if (authorizationId !== null) await tx.insert(authorizations).values({ ...authorization, id: authorizationId })
      const session = { ...common, credentialIdentifiers, tokenHash: hashSecret(token), offerId, authorizationId }
      const credentialsLeft = isAuthorized ? (more.credentialsLeft ?? null) : null
      await tx.insert(sessions).values({ ...session, id, credentialsLeft })
    })
    return { id, userId, offerId, authorizationId, token, configurationIds }
  }

  /** Calls a route as the wallet of the session. Throws the problem of a refusal. */
  async function call(operation: string, { token }: { token: string }, sent: unknown, around: Circumstances = {}) {
    const route = credentialRoutes.find((each) => each.operation === operation)
    const url = tenant.baseUrl + route?.path
    const incoming = { headers: { authorization: `Bearer ${token}` }, method: 'POST', url, about: () => undefined }
    const request = { ...incoming, rawBody: async () => Buffer.alloc(0) }
    const own = { ...tenant, settings: { ...tenant.settings, ...around.settings } }
    const holder = await authenticateHolder(deps, tenant, request, {
      find: findSessionWithClaims,
      findExternal: async () => undefined,
    })
    const body = route?.body?.parse(sent)
    const deadlineAt = performance.now() + 60_000
    const context = {
      deps: { ...deps, ...around.deps },
      tenant: own,
      tenantId,
      url,
      body,
      deadlineAt,
      requestId: newId(),
    }
    const answer = await route?.handle({ ...context, isEncrypted: false, holder } as never)
    return { ...(answer as { status: number | undefined; body: Record<string, unknown> }), deadlineAt }
  }

  /** A proof for each key, of one nonce. */
  async function proofsOf(keys: HolderKeyPair[], nonce = newNonce(deps, tenant)): Promise<{ jwt: string[] }> {
    const payload = { iat: now.getTime() / 1000 }
    const jwt = keys.map((key) => makeProof({ issuer: tenant.baseUrl, key, nonce, payload }))
    return { jwt: await Promise.all(jwt) }
  }

  async function close(): Promise<void> {
    await outbound.close()
    await database.drop()
  }

  return { db, deps, tenant, now, queue, poked, events, sign, newConfiguration, newSession, call, proofsOf, close }
}
