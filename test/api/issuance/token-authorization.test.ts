import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenRequest } from '../../../api/issuance/token/schemas.ts'
import { type AuthorizationRow, findAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { findRefreshToken } from '../../../db/repos/issuance/sessions/refresh-tokens.ts'
import { plusMs } from '../../../shared/clock.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { challengeOf, codeVerifier, openTokenCalls, type Sender, type TokenCalls } from '../../harness/token-calls.ts'

// The grants of authorization codes and refresh tokens. token-repeats.test.ts has their second uses.

let calls: TokenCalls
let client: { clientId: string; registrationId: string }
/** The wallet with a key. */
let wallet: Sender
beforeAll(async () => {
  calls = await openTokenCalls()
  client = await calls.newRegistered()
  wallet = { client, dpopJkt: 'jkt' }
})
afterAll(() => calls?.drop())

type Request = Partial<(typeof TokenRequest)['_output']>

const thirtyDaysMs = 30 * 24 * 3_600_000
const newCode = (changes: Partial<AuthorizationRow> = {}) => calls.newCode({ ...client, ...changes })
const authorizationOf = (id: string) => findAuthorization(calls.db.read, 't', id)
const detailsOf = (...ids: string[]) =>
  JSON.stringify(ids.map((id) => ({ type: 'openid_credential', credential_configuration_id: id })))
const identified = (id: string) => ({
  type: 'openid_credential',
  credential_configuration_id: id,
  credential_identifiers: [expect.any(String)],
})

describe('an authorization code', () => {
  test('gives a bearer token for the authorized configurations, and no refresh token', async () => {
    const { id: authorizationId, userId, offerId, code } = await newCode()
    const outcome = await calls.redeemCode(code, {}, { client })
    const { response, sessionId } = outcome.granted!
    expect(response).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'cwt:Type-c1 cwt:Type-c2',
    })
    expect(await calls.findSessionOf(outcome)).toMatchObject({
      ...{ id: sessionId, ...client, userId, offerId, authorizationId, credentialIdentifiers: {} },
      ...{ configurationIds: ['c1', 'c2'], exchangedHash: hashSecret(code), credentialsLeft: 7 },
    })
    const expiresAt = plusMs(calls.clock.at, 300_000)
    expect(await authorizationOf(authorizationId)).toMatchObject({ state: 'redeemed', expiresAt })
    expect(outcome.attributed).toEqual([[offerId], [offerId, { sessionId }]])
  })

  test('gives a wallet with a key a refresh token, which lasts as long as the authorization', async () => {
    const { id: authorizationId, userId, code } = await newCode({ dpopJkt: 'jkt' })
    const { granted } = await calls.redeemCode(code, {}, wallet)
    expect(granted?.response).toMatchObject({ token_type: 'DPoP', expires_in: 3600 })
    const token = granted?.response.refresh_token ?? ''
    const expiresAt = plusMs(calls.clock.at, thirtyDaysMs)
    expect(await findRefreshToken(calls.db.read, 't', idOfSecret(token))).toEqual({
      ...{ id: idOfSecret(token), tenantId: 't', tokenHash: hashSecret(token), authorizationId, userId },
      ...{ dpopJkt: 'jkt', spentAt: null, createdAt: calls.clock.at, expiresAt },
    })
    expect(await authorizationOf(authorizationId)).toMatchObject({ expiresAt })
  })

  test('gives identifiers if the authorization or the token request contains authorization_details', async () => {
    const [withDetails, withoutDetails] = [await newCode({ detailsRequested: true }), await newCode()]
    const all = await calls.redeemCode(withDetails.code, {}, wallet)
    expect(all.granted?.response.authorization_details).toEqual(['c1', 'c2'].map(identified))
    const one = await calls.redeemCode(withoutDetails.code, { authorization_details: detailsOf('c2') }, wallet)
    expect(one.granted?.response.authorization_details).toEqual([identified('c2')])
    const narrowed = await newCode({ detailsRequested: true })
    const { granted } = await calls.redeemCode(narrowed.code, { authorization_details: detailsOf('c1') }, wallet)
    expect(granted?.response.authorization_details).toEqual([identified('c1')])
  })

  type Wrong = [changes: Partial<AuthorizationRow>, request: Request, sender: Sender, problem: string, check: string]
  const wrong: Record<string, Wrong> = {
    'details of another configuration': [
      {},
      { authorization_details: detailsOf('c3') },
      {},
      'invalid_authorization_details',
      'authorization_details',
    ],
    'another redirect_uri': [{}, { redirect_uri: 'https://wallet.example/other' }, {}, 'invalid_grant', 'redirect_uri'],
    'no redirect_uri': [{}, { redirect_uri: undefined }, {}, 'invalid_grant', 'redirect_uri'],
    'no verifier': [{}, { code_verifier: undefined }, {}, 'invalid_request', 'code_verifier'],
    'another verifier': [{}, { code_verifier: 'w'.repeat(43) }, {}, 'invalid_grant', 'code_verifier'],
    'no proof of its key': [{ dpopJkt: 'jkt' }, {}, { dpopJkt: null }, 'invalid_dpop_proof', 'dpop_key'],
    'another key': [{ dpopJkt: 'jkt' }, {}, { dpopJkt: 'other' }, 'invalid_grant', 'dpop_key'],
    'another client': [{}, {}, { client: { clientId: 'other' } }, 'invalid_grant', 'code_client'],
    'no client': [{}, {}, { client: {} }, 'invalid_grant', 'code_client'],
    'another instance': [
      { instanceJkt: 'instance' },
      {},
      { client: { instanceJkt: 'other' } },
      'invalid_grant',
      'code_client',
    ],
    'no instance': [{ instanceJkt: 'instance' }, {}, { client: { instanceJkt: null } }, 'invalid_grant', 'code_client'],
  }
  test.each(Object.keys(wrong))('is refused with %s, and stays usable', async (what) => {
    const [changes, request, sender, problem, check] = wrong[what]!
    const { id, code, instanceJkt } = await newCode(changes)
    const isAnonymous = what === 'no client'
    const by = { ...wallet, ...sender, client: { ...(isAnonymous ? {} : client), instanceJkt, ...sender.client } }
    const { refusal } = await calls.redeemCode(code, request, by)
    expect(refusal).toMatchObject({ problem, check, isWrongSecret: false })
    expect(refusal?.message).not.toBe('')
    expect(refusal?.reason).not.toBe((await calls.redeemCode('made-up.code')).refusal?.reason)
    expect(await authorizationOf(id)).toMatchObject({ state: 'granted' })
    const right = { ...wallet, client: { ...client, instanceJkt } }
    expect((await calls.redeemCode(code, {}, right)).granted).toBeDefined()
  })

  test.each([
    ['of 43 characters', 'a'.repeat(43), true],
    ['of 128 characters of each kind', 'aZ09-._~'.repeat(16), true],
    ['of 42 characters', 'a'.repeat(42), false],
    ['of 129 characters', 'a'.repeat(129), false],
    ['with a space at the end', `${'a'.repeat(43)} `, false],
    ['with a space at the start', ` ${'a'.repeat(43)}`, false],
    ['with a plus', `${'a'.repeat(43)}+`, false],
  ])('has a verifier %s: %s is taken: %s', async (_what, verifier, isTaken) => {
    const { code } = await newCode({ codeChallenge: challengeOf(verifier) })
    const outcome = await calls.redeemCode(code, { code_verifier: verifier }, wallet)
    expect(outcome.granted !== undefined).toBe(isTaken)
    if (!isTaken) expect(outcome.refusal?.problem).toBe('invalid_grant')
  })

  test('is refused as a wrong secret unless it is exactly the code of an authorization of the tenant', async () => {
    const { id, code } = await newCode()
    const { code: notGranted } = await newCode({ codeHash: null })
    for (const sent of [`${id}.`, `${code}x`, 'made-up.code', '', notGranted]) {
      const { refusal } = await calls.redeemCode(sent, {}, wallet)
      expect(refusal).toMatchObject({ problem: 'invalid_grant', check: 'code_expiry', isWrongSecret: true })
    }
    const { refusal } = await calls.redeemCode(code, {}, { ...wallet, of: { ...calls.tenant, id: 'u' } })
    expect(refusal).toMatchObject({ problem: 'invalid_grant', isWrongSecret: true })
    expect((await calls.redeemCode(undefined, {}, wallet)).refusal).toMatchObject({
      problem: 'invalid_request',
      message: expect.stringMatching(/^code /),
    })
    expect((await calls.redeemCode(code, { code_verifier: codeVerifier }, wallet)).granted).toBeDefined()
  })

  test('is refused before its authorization is granted, after it ended, and when it expires', async () => {
    const common = new Set<string | undefined>()
    for (const changes of [
      { state: 'login' },
      { state: 'interaction' },
      { state: 'ended' },
      { expiresAt: calls.clock.at },
    ]) {
      const { code, offerId } = await newCode(changes as Partial<AuthorizationRow>)
      const { refusal, attributed } = await calls.redeemCode(code, {}, wallet)
      expect(refusal).toMatchObject({ problem: 'invalid_grant', check: 'code_expiry', isWrongSecret: false })
      expect(refusal?.reason).not.toBe(refusal?.message)
      expect(attributed).toEqual([[offerId]])
      common.add(refusal?.reason)
    }
    expect(common.size).toBe(1)
    const { code } = await newCode({ expiresAt: plusMs(calls.clock.at, 1) })
    expect((await calls.redeemCode(code, {}, wallet)).granted).toBeDefined()
  })

  test('without a user is an error of the service', async () => {
    const { code } = await newCode({ userId: null })
    await expect(calls.redeemCode(code, {}, wallet)).rejects.toThrow('a granted code has no user')
  })
})

describe('an unregistered wallet', () => {
  const unregistered = { clientId: 'wallet', registrationId: null }
  const admitting = () => ({ ...calls.tenant, settings: { ...calls.tenant.settings, publicClients: true } })

  test('redeems a code while the tenant admits public clients', async () => {
    const { code } = await calls.newCode(unregistered)
    expect((await calls.redeemCode(code, {}, { client: unregistered })).refusal?.problem).toBe('invalid_grant')
    const outcome = await calls.redeemCode(code, {}, { client: unregistered, of: admitting() })
    expect(outcome.granted).toBeDefined()
  })

  test('redeems a code as its attested instance', async () => {
    const attested = { ...unregistered, instanceJkt: 'instance' }
    const { code } = await calls.newCode(attested)
    expect((await calls.redeemCode(code, {}, { client: attested })).granted).toBeDefined()
  })

  test('redeems its code after it was registered', async () => {
    const { registrationId } = client
    const { code } = await calls.newCode(unregistered)
    expect((await calls.redeemCode(code, {}, { client: { ...unregistered, registrationId } })).granted).toBeDefined()
  })
})

describe('a refresh token', () => {
  const refreshable = async (changes: Partial<AuthorizationRow> = {}) => {
    const authorization = await newCode(changes)
    const { granted } = await calls.redeemCode(authorization.code, {}, wallet)
    return { ...authorization, token: granted?.response.refresh_token ?? '' }
  }

  test('gives an access token, stays the same, and extends the authorization', async () => {
    const { id: authorizationId, userId, offerId, token } = await refreshable()
    calls.advance(60_000)
    const outcome = await calls.redeemRefreshToken(token, wallet)
    const { response, sessionId } = outcome.granted!
    expect(response).toEqual({
      access_token: expect.any(String),
      token_type: 'DPoP',
      expires_in: 3600,
      scope: 'cwt:Type-c1 cwt:Type-c2',
      refresh_token: token,
    })
    expect(await calls.findSessionOf(outcome)).toMatchObject({
      ...{ id: sessionId, ...client, userId, offerId, authorizationId, dpopJkt: 'jkt', credentialIdentifiers: {} },
      ...{ configurationIds: ['c1', 'c2'], exchangedHash: hashSecret(token), credentialsLeft: 7 },
    })
    const expiresAt = plusMs(calls.clock.at, thirtyDaysMs)
    expect(await authorizationOf(authorizationId)).toMatchObject({ state: 'redeemed', expiresAt })
    expect(await findRefreshToken(calls.db.read, 't', idOfSecret(token))).toMatchObject({ spentAt: null, expiresAt })
    expect(outcome.attributed).toEqual([[offerId], [offerId, { sessionId }]])
    expect((await calls.redeemRefreshToken(token, wallet)).granted?.sessionId).not.toBe(sessionId)
  })

  test('gives new identifiers if the authorization contains authorization_details', async () => {
    const { token } = await refreshable({ detailsRequested: true })
    const { granted } = await calls.redeemRefreshToken(token, wallet)
    expect(granted?.response.authorization_details).toEqual(['c1', 'c2'].map(identified))
  })

  test('gives identifiers for its authorization_details, unless they are of another configuration', async () => {
    const { token } = await refreshable()
    const { refusal } = await calls.redeemRefreshToken(token, wallet, { authorization_details: detailsOf('c3') })
    expect(refusal).toMatchObject({ problem: 'invalid_authorization_details', check: 'authorization_details' })
    const { granted } = await calls.redeemRefreshToken(token, wallet, { authorization_details: detailsOf('c2') })
    expect(granted?.response.authorization_details).toEqual([identified('c2')])
  })

  test.each<[string, Sender, string, string]>([
    ['no proof of its key', { dpopJkt: null }, 'invalid_dpop_proof', 'dpop_key'],
    ['another key', { dpopJkt: 'other' }, 'invalid_grant', 'dpop_key'],
    ['another client', { client: { clientId: 'other' } }, 'invalid_grant', 'refresh_token'],
    ['no client', { client: {} }, 'invalid_grant', 'refresh_token'],
  ])('is refused with %s, and stays usable', async (_what, sender, problem, check) => {
    const { token, offerId } = await refreshable()
    const { refusal, attributed } = await calls.redeemRefreshToken(token, { ...wallet, ...sender })
    expect(refusal).toMatchObject({ problem, check, isWrongSecret: false })
    expect(attributed).toEqual([[offerId]])
    expect((await calls.redeemRefreshToken(token, wallet)).granted).toBeDefined()
  })

  test('is refused with the reason if the key of the wallet is wrong', async () => {
    const { token } = await refreshable()
    const messages = [{ dpopJkt: null }, { dpopJkt: 'other' }, { client: {} }].map(
      async (sender) => (await calls.redeemRefreshToken(token, { ...wallet, ...sender })).refusal?.message,
    )
    expect(new Set(await Promise.all(messages)).size).toBe(3)
  })

  test('is refused as a wrong secret unless it is exactly a refresh token of the tenant', async () => {
    const { token } = await refreshable()
    for (const sent of [`${idOfSecret(token)}.`, `${token}x`, 'made-up.token', '']) {
      const { refusal } = await calls.redeemRefreshToken(sent, wallet)
      expect(refusal).toMatchObject({ problem: 'invalid_grant', isWrongSecret: true })
    }
    const { refusal } = await calls.redeemRefreshToken(token, { ...wallet, of: { ...calls.tenant, id: 'u' } })
    expect(refusal).toMatchObject({ problem: 'invalid_grant', isWrongSecret: true })
    expect((await calls.redeemRefreshToken(undefined, wallet)).refusal).toMatchObject({
      problem: 'invalid_request',
      message: expect.stringContaining('refresh_token'),
    })
  })

  test('is refused when it expires', async () => {
    const [first, second] = [await refreshable(), await refreshable()]
    calls.advance(thirtyDaysMs - 1)
    expect((await calls.redeemRefreshToken(first.token, wallet)).granted).toBeDefined()
    calls.advance(1)
    expect((await calls.redeemRefreshToken(second.token, wallet)).refusal?.problem).toBe('invalid_grant')
  })

  test('is refused after its wallet was removed', async () => {
    const removed = await calls.newRegistered()
    const { code } = await calls.newCode(removed)
    const { granted } = await calls.redeemCode(code, {}, { client: removed, dpopJkt: 'jkt' })
    await calls.removeRegistered(removed)
    const { refusal } = await calls.redeemRefreshToken(granted?.response.refresh_token, {
      client: { clientId: removed.clientId },
      dpopJkt: 'jkt',
    })
    expect(refusal).toMatchObject({ problem: 'invalid_grant', check: 'refresh_token', isWrongSecret: false })
  })

  test('is refused after its code was used a second time', async () => {
    const { code, token } = await refreshable()
    calls.advance(3_600_000)
    const { refusal } = await calls.redeemCode(code, {}, wallet)
    expect(refusal?.problem).toBe('invalid_grant')
    expect(refusal?.message).not.toBe((await calls.redeemCode('made-up.code')).refusal?.message)
    expect((await calls.redeemRefreshToken(token, wallet)).refusal?.problem).toBe('invalid_grant')
  })
})
