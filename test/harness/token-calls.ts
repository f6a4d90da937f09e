import { hash, randomBytes, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tenant } from '../../api/access/subjects.ts'
import type { Deps } from '../../api/deps.ts'
import { redeemAuthorizationCode } from '../../api/issuance/token/grants/authorization-code.ts'
import type { Granted, TokenCall } from '../../api/issuance/token/grants/grant.ts'
import { redeemPreAuthorizedCode } from '../../api/issuance/token/grants/pre-authorized-code.ts'
import { redeemRefreshToken } from '../../api/issuance/token/grants/refresh-token.ts'
import type { OAuthClient } from '../../api/issuance/wallets/wallet-authentication.ts'
import { createCaches } from '../../api/process/caches.ts'
import { insertOffer, type OfferRow } from '../../db/repos/issuance/offers/offers.ts'
import { type AuthorizationRow, insertAuthorization } from '../../db/repos/issuance/sessions/authorizations.ts'
import { findSession, type SessionRow } from '../../db/repos/issuance/sessions/sessions.ts'
import { configurations } from '../../db/tables/issuance/configurations.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { oauthClients } from '../../db/tables/issuance/wallets.ts'
import { defaultSettings } from '../../db/tables/tenancy/tenants.ts'
import { plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { hashSecret, idOfSecret, newSecretOf } from '../../shared/ids.ts'
import { createSecrets, type ServiceSecrets } from '../../shared/secrets/secrets.ts'
import { openNewDatabase } from './database.ts'

const tenantId = 't'
const startedAt = new Date('2025-06-30T12:00:00.000Z')
export const configurationIds = ['c1', 'c2']
export const redirectUri = 'https://wallet.example/callback'
export const codeVerifier = 'v'.repeat(43)
export const challengeOf = (verifier: string) => hash('sha256', verifier, 'base64url')

const grants = {
  'urn:ietf:params:oauth:grant-type:pre-authorized_code': redeemPreAuthorizedCode,
  authorization_code: redeemAuthorizationCode,
  refresh_token: redeemRefreshToken,
}

/** The wallet that calls, as its authentication describes it. */
export interface Sender {
  client?: Partial<OAuthClient>
  dpopJkt?: string | null
  of?: Tenant
  /** Dependencies that replace those of the tests. */
  using?: Partial<Deps>
}

export interface Outcome {
  granted: Granted | undefined
  refusal: Problem | undefined
  attributed: Parameters<TokenCall['attribute']>[]
}

export type TokenCalls = Awaited<ReturnType<typeof openTokenCalls>>

/** The grants of the token endpoint, with a real database and a stopped clock. */
export async function openTokenCalls() {
  const { db, drop } = await openNewDatabase()
  const clock = { at: startedAt, now: () => clock.at }
  const serviceSecret = randomBytes(32)
  const secretsOf = (...all: ServiceSecrets) => createSecrets(all)
  // Boundary: the grants read only these members.
  const deps = { db, clock, secrets: secretsOf(serviceSecret), caches: createCaches() } as unknown as Deps
  const settings = { ...defaultSettings, maxCredentialsPerSession: 7 }
  const tenant = { id: tenantId, issuer: 'https://issuer.example', profile: 'standard', settings } as Tenant
  await db.tx(async (tx) => {
    const common = { tenantId, profile: 'compact', settings: {}, createdAt: startedAt } as const
    await tx.insert(configurations).values(configurationIds.map((id) => ({ ...common, id, type: `Type-${id}` })))
  })

  async function call(
    grantType: keyof typeof grants,
    request: Partial<TokenCall['request']>,
    { client = {}, dpopJkt = null, of = tenant, using = {} }: Sender = {},
  ): Promise<Outcome> {
    const attributed: Outcome['attributed'] = []
    const outcome = { attributed, granted: undefined, refusal: undefined }
    try {
      const granted = await grants[grantType]({
        deps: { ...deps, ...using },
        tenant: of,
        request: { grant_type: grantType, ...request } as TokenCall['request'],
        client: { clientId: null, registrationId: null, instanceJkt: null, ...client },
        dpopJkt,
        attribute: (...ids) => void attributed.push(ids),
      })
      return { ...outcome, granted }
    } catch (error) {
      if (error instanceof Problem) return { ...outcome, refusal: error }
      throw error
    }
  }

  async function newUser(): Promise<string> {
    const id = randomUUID()
    await db.tx(async (tx) => void (await tx.insert(users).values({ id, tenantId, claims: {}, createdAt: clock.at })))
    return id
  }

  return {
    db,
    deps,
    tenant,
    clock,
    drop,
    secretsOf,
    serviceSecret,
    advance: (ms: number) => {
      clock.at = plusMs(clock.at, ms)
    },
    redeemPreAuthorized: (code: string | undefined, request: Partial<TokenCall['request']> = {}, sender?: Sender) =>
      call(
        'urn:ietf:params:oauth:grant-type:pre-authorized_code',
        { 'pre-authorized_code': code, ...request } as Partial<TokenCall['request']>,
        sender,
      ),
    redeemCode: (code: string | undefined, request: Partial<TokenCall['request']> = {}, sender?: Sender) =>
      call(
        'authorization_code',
        { code, redirect_uri: redirectUri, code_verifier: codeVerifier, ...request } as Partial<TokenCall['request']>,
        sender,
      ),
    redeemRefreshToken: (token: string | undefined, sender?: Sender, more: Partial<TokenCall['request']> = {}) =>
      call('refresh_token', { refresh_token: token, ...more } as Partial<TokenCall['request']>, sender),

    /** A usable offer for ten minutes. */
    async newOffer({ txCode, ...changes }: Partial<OfferRow> & { txCode?: string } = {}) {
      const id = randomUUID()
      const code = newSecretOf(id)
      const row: OfferRow = {
        id,
        tenantId,
        userId: await newUser(),
        state: 'usable',
        configurationIds,
        claims: {},
        codeHash: hashSecret(code),
        sealedCode: null,
        referenceHash: null,
        isByReference: false,
        viewId: null,
        claimLinkId: null,
        label: null,
        needsSignIn: false,
        transactionCodeMac: txCode === undefined ? null : deps.secrets.mac('tx_code', `${id} ${txCode}`),
        transactionCodeDescription: null,
        wrongTransactionCodes: 0,
        sessionId: null,
        traceparent: null,
        expiresAt: plusMs(clock.at, 600_000),
        createdAt: clock.at,
        ...changes,
      }
      await db.tx((tx) => insertOffer(tx, row))
      return { ...row, code }
    },

    /** A code of the client `wallet`, which is granted for a minute. */
    async newCode(changes: Partial<AuthorizationRow> = {}) {
      const id = randomUUID()
      const code = newSecretOf(id)
      const row: AuthorizationRow = {
        id,
        tenantId,
        state: 'granted',
        clientId: 'wallet',
        registrationId: null,
        redirectUri,
        pushedRequestId: null,
        clientState: null,
        configurationIds,
        detailsRequested: false,
        codeChallenge: challengeOf(codeVerifier),
        dpopJkt: null,
        instanceJkt: null,
        viewId: null,
        offerId: 'shared-offer',
        claimLinkId: null,
        requestParameters: {},
        stepHash: null,
        sealedLogin: null,
        userId: await newUser(),
        hookClaims: null,
        codeHash: hashSecret(code),
        traceparent: null,
        expiresAt: plusMs(clock.at, 60_000),
        createdAt: clock.at,
        ...changes,
      }
      await db.tx((tx) => insertAuthorization(tx, row))
      return { ...row, code }
    },

    /** A registered wallet. Returns what its calls authenticate. */
    async newRegistered(): Promise<{ clientId: string; registrationId: string }> {
      const id = randomUUID()
      const attestation = { required: false, dpopRequired: false, rootCertificates: [] }
      const row = { id, tenantId, clientId: id, name: '', redirectUris: [], attestation, dpopRequired: false }
      await db.tx(async (tx) => void (await tx.insert(oauthClients).values({ ...row, createdAt: clock.at })))
      return { clientId: id, registrationId: id }
    },

    async removeRegistered({ registrationId }: { registrationId: string }): Promise<void> {
      await db.tx(async (tx) => void (await tx.delete(oauthClients).where(eq(oauthClients.id, registrationId))))
    },

    /** The valid session of an access token. */
    async findSessionOf(outcome: Outcome): Promise<SessionRow | undefined> {
      const token = outcome.granted?.response.access_token ?? ''
      const session = await findSession(db.read, tenantId, idOfSecret(token))
      return session?.tokenHash === hashSecret(token) ? session : undefined
    },

    /** Requests a credential with a session. */
    async useSession({ id: sessionId, userId }: SessionRow): Promise<void> {
      const row = { id: randomUUID(), tenantId, sessionId, userId, configurationId: 'c1', state: 'requested' as const }
      const requested = { ...row, holderKeys: [], requestedAt: clock.at }
      await db.tx(async (tx) => void (await tx.insert(issuances).values(requested)))
    },
  }
}
