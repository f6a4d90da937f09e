import { randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tenant } from '../../../api/access/subjects.ts'
import { accessTokensOf } from '../../../api/issuance/token/access-token.ts'
import { refreshTokensOf } from '../../../api/issuance/token/refresh-token.ts'
import { findAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { markSent, type SessionRow } from '../../../db/repos/issuance/sessions/sessions.ts'
import { refreshTokens } from '../../../db/tables/issuance/refresh-tokens.ts'
import { createSecrets } from '../../../shared/secrets/secrets.ts'
import { type Outcome, openTokenCalls, type Sender, type TokenCalls } from '../../harness/token-calls.ts'

// A token request that is sent twice: a repeat, whose first response was lost, or a second use, which revokes.

let calls: TokenCalls
let client: { clientId: string; registrationId: string }
/** The wallet of the first use. */
let wallet: Sender
beforeAll(async () => {
  calls = await openTokenCalls()
  client = await calls.newRegistered()
  wallet = { client, dpopJkt: 'jkt' }
})
afterAll(() => calls?.drop())

type Exchange = (sender?: Sender) => Promise<Outcome>

const code = async (changes: object = {}): Promise<Exchange> => {
  const { code } = await calls.newCode({ ...client, ...changes })
  return (sender = wallet) => calls.redeemCode(code, {}, sender)
}
const kinds: Record<string, () => Promise<Exchange>> = {
  'a pre-authorized code': async () => {
    const { code } = await calls.newOffer()
    return (sender = wallet) => calls.redeemPreAuthorized(code, {}, sender)
  },
  'a pre-authorized code with a transaction code': async () => {
    const { code } = await calls.newOffer({ txCode: '123456' })
    return (sender = wallet) => calls.redeemPreAuthorized(code, { tx_code: '123456' }, sender)
  },
  'an authorization code': code,
}

const isSent = (outcome: Outcome) =>
  calls.db.tx((tx) => markSent(tx, [outcome.granted?.sessionId ?? ''], calls.clock.at))

/** Uses the code or token a second time. Expects that the tokens of the first use are revoked. */
async function expectSecondUse(first: Outcome, second: Outcome): Promise<void> {
  expect(first.granted).toBeDefined()
  expect(second.refusal).toMatchObject({
    problem: 'invalid_grant',
    check: 'code_unused',
  })
  expect(await calls.findSessionOf(first)).toBeUndefined()
  const { refresh_token: token } = first.granted!.response
  if (token !== undefined)
    expect((await calls.redeemRefreshToken(token, wallet)).refusal?.problem).toBe('invalid_grant')
}

/** Uses the code a second time. Expects that only this use is refused. */
async function expectRace(first: Outcome, second: Outcome): Promise<void> {
  expect(first.granted).toBeDefined()
  expect(second.refusal).toMatchObject({ problem: 'invalid_grant', check: 'code_unused' })
  expect(await calls.findSessionOf(first)).toBeDefined()
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  let exchange: Exchange
  beforeEach(async () => {
    exchange = await kinds[kind]!()
  })

  test('gives the same tokens to the same wallet until ten seconds after the response', async () => {
    const first = await exchange()
    await isSent(first)
    calls.advance(10_000)
    const again = await exchange()
    expect(first.granted?.response.expires_in).toBe(3600)
    expect(again.granted).toStrictEqual({
      sessionId: first.granted?.sessionId,
      response: { ...first.granted?.response, expires_in: 3590 },
    })
    calls.advance(1)
    await expectSecondUse(first, await exchange())
  })

  test('gives the same tokens while they are valid if no response was sent', async () => {
    const first = await exchange()
    calls.advance(3_599_500)
    const again = await exchange()
    expect(again.granted?.response).toEqual({ ...first.granted?.response, expires_in: 0 })
    calls.advance(500)
    expect((await exchange()).refusal?.problem).toBe('invalid_grant')
  })

  test('gives one token to two requests of a wallet at the same time', async () => {
    const [first, second] = await Promise.all([exchange(), exchange()])
    expect(first.granted).toBeDefined()
    expect(second.granted).toEqual(first.granted)
  })

  test('gives one token to two wallets at the same time', async () => {
    const outcomes = await Promise.all([exchange(), exchange({ ...wallet, client: {} })])
    expect(outcomes.filter(({ granted }) => granted)).toHaveLength(1)
    expect(outcomes.map(({ refusal }) => refusal?.problem)).toContain('invalid_grant')
  })

  test('gives the same tokens under a new service secret until the old one is removed', async () => {
    const first = await exchange()
    const fresh = randomBytes(32)
    const both = { ...wallet, using: { secrets: calls.secretsOf(fresh, calls.serviceSecret) } }
    const again = await exchange(both)
    expect(again.granted?.response).toEqual(first.granted?.response)
    const removed = { ...wallet, using: { secrets: calls.secretsOf(randomBytes(32)) } }
    calls.advance(10_001)
    if (kind !== 'a pre-authorized code with a transaction code') await expectSecondUse(first, await exchange(removed))
  })

  const senders: Record<string, () => Sender> = {
    'another key': () => ({ ...wallet, dpopJkt: 'other' }),
    'no key': () => ({ ...wallet, dpopJkt: null }),
    'another client': () => ({ ...wallet, client: { ...client, clientId: 'other' } }),
    'no client': () => ({ ...wallet, client: {} }),
    'another instance': () => ({ ...wallet, client: { ...client, instanceJkt: 'other' } }),
  }
  test.each(Object.keys(senders))('is used a second time by %s', async (what) => {
    const first = await exchange()
    const sender = senders[what]!()
    const second = await exchange(sender)
    if (kind === 'an authorization code') return expectSecondUse(first, second)
    // A pre-authorized code is bound to no wallet.
    await expectRace(first, second)
    calls.advance(10_001)
    await expectSecondUse(first, await exchange(sender))
  })

  test('is used a second time after a credential was requested with its token', async () => {
    const first = await exchange()
    await calls.useSession((await calls.findSessionOf(first))!)
    await expectSecondUse(first, await exchange())
  })

  test('has no repeat with HAIP', async () => {
    const sender = { ...wallet, of: { ...calls.tenant, profile: 'haip' as const } }
    const first = await exchange(sender)
    const second = await exchange(sender)
    if (kind === 'an authorization code') return expectSecondUse(first, second)
    await expectRace(first, second)
  })
})

describe('without a key', () => {
  const bearer = { dpopJkt: null }

  test('a wallet can repeat a request as its attested instance', async () => {
    for (const kind of ['a pre-authorized code', 'an authorization code']) {
      const exchange = await kinds[kind]!()
      const sender = { ...bearer, client: { ...client, instanceJkt: 'instance' } }
      const first = await exchange(sender)
      expect(first.granted?.response).toMatchObject({ token_type: 'Bearer', expires_in: 300 })
      expect((await exchange(sender)).granted).toEqual(first.granted)
      calls.advance(10_001)
      await expectSecondUse(first, await exchange({ ...bearer, client: { ...client, instanceJkt: 'other' } }))
    }
  })

  test('a registered wallet can repeat the request for an authorization code with its verifier', async () => {
    const { code } = await calls.newCode(client)
    const sender = { ...bearer, client }
    const first = await calls.redeemCode(code, {}, sender)
    expect((await calls.redeemCode(code, {}, sender)).granted).toEqual(first.granted)
    await expectSecondUse(first, await calls.redeemCode(code, { code_verifier: 'w'.repeat(43) }, sender))
  })

  test('a pre-authorized code, and a code of an unregistered wallet, work once', async () => {
    const publicTenant = { ...calls.tenant, settings: { ...calls.tenant.settings, publicClients: true } }
    const unregistered = { ...bearer, of: publicTenant, client: { clientId: 'wallet' } }
    const offers = [await kinds['a pre-authorized code']!(), await kinds['a pre-authorized code']!()] as const
    const codeOfPublic = await code({ clientId: 'wallet', registrationId: null })
    for (const [exchange, sender] of [
      [offers[0], { ...bearer, client }],
      [offers[1], { ...bearer, client: {} }],
      [codeOfPublic, unregistered],
    ] as const) {
      const first = await exchange(sender)
      calls.advance(10_000)
      await expectRace(first, await exchange(sender))
      calls.advance(1)
      await expectSecondUse(first, await exchange(sender))
    }
  })
})

test('a code cannot be repeated after its refresh token was used or removed', async () => {
  for (const what of ['used', 'removed']) {
    const { id, code } = await calls.newCode(client)
    const first = await calls.redeemCode(code, {}, wallet)
    if (what === 'used') await calls.redeemRefreshToken(first.granted?.response.refresh_token, wallet)
    const ofCode = and(eq(refreshTokens.tenantId, 't'), eq(refreshTokens.authorizationId, id))
    if (what === 'removed') await calls.db.tx(async (tx) => void (await tx.delete(refreshTokens).where(ofCode)))
    await expectSecondUse(first, await calls.redeemCode(code, {}, wallet))
    expect(await findAuthorization(calls.db.read, 't', id)).toMatchObject({ state: 'ended' })
  }
})

test('a code can be repeated after its offer has expired', async () => {
  const { code } = await calls.newOffer({ expiresAt: new Date(calls.clock.at.getTime() + 1_000) })
  const first = await calls.redeemPreAuthorized(code, {}, wallet)
  calls.advance(2_000)
  expect((await calls.redeemPreAuthorized(code, {}, wallet)).granted?.sessionId).toBe(first.granted?.sessionId)
})

describe('the tokens of a session', () => {
  const secrets = createSecrets([Buffer.alloc(32, 1)])
  const deps = { ...({} as TokenCalls['deps']), secrets }
  const session = { tenantId: 't', id: 's', createdAt: new Date(0) } as SessionRow
  const tokensOf = (changes: Partial<SessionRow> = {}, exchanged = 'code') => {
    const of = { ...session, ...changes }
    // Boundary: both read these two members of the tenant.
    const tenant = { id: of.tenantId, sealedSecret: null } as Tenant
    return [accessTokensOf(deps, tenant, of.id, exchanged)[0], refreshTokensOf(deps, tenant, of, exchanged).tokens[0]]
  }

  test('follow from tenant, session and exchanged code', () => {
    const all = [tokensOf(), tokensOf({ tenantId: 'u' }), tokensOf({ id: 'r' }), tokensOf({}, 'other')].flat()
    const macs = all.map((each) => each?.split('.')[1])
    expect(new Set(macs).size).toBe(8)
  })

  test('are the same in every version, so that a newer process answers a repeat', () => {
    expect(tokensOf()).toMatchInlineSnapshot(`
      [
        "s.R8qXzwF7mb3oblaMYToZ5cJj8d7x4eEalNwl-b1URgo",
        "00000000-0000-8656-aef6-b1d347779d8b.cfwu-iDDdysUjgY5WMUXoYwp6PtX8EoSTrcofduh8Ik",
      ]
    `)
  })
})
