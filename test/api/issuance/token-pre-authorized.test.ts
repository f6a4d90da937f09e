import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Deps } from '../../../api/deps.ts'
import { deleteOffer, findOfferToRedeem } from '../../../db/repos/issuance/offers/offers.ts'
import { plusMs } from '../../../shared/clock.ts'
import { hashSecret } from '../../../shared/ids.ts'
import { openTokenCalls, type Sender, type TokenCalls } from '../../harness/token-calls.ts'

// The grant of pre-authorized codes. token-repeats.test.ts has the second uses of all codes.

let calls: TokenCalls
beforeAll(async () => {
  calls = await openTokenCalls()
})
afterAll(() => calls?.drop())

const detailsOf = (...ids: string[]) =>
  JSON.stringify(ids.map((id) => ({ type: 'openid_credential', credential_configuration_id: id })))
const stateOf = async (id: string) => (await findOfferToRedeem(calls.db.read, 't', id))?.state

test('a code gives one token for the offered configurations, which is stored as a hash', async () => {
  const { id: offerId, userId, code } = await calls.newOffer()
  const outcome = await calls.redeemPreAuthorized(code)
  const { response, sessionId } = outcome.granted!
  expect(response).toEqual({
    access_token: expect.stringMatching(new RegExp(`^${sessionId}\\.[\\w-]{43}$`)),
    token_type: 'Bearer',
    expires_in: 300,
    scope: 'cwt:Type-c1 cwt:Type-c2',
  })
  expect(await calls.findSessionOf(outcome)).toEqual({
    ...{ id: sessionId, tenantId: 't', userId, offerId, configurationIds: ['c1', 'c2'], credentialIdentifiers: {} },
    ...{ clientId: null, registrationId: null, instanceJkt: null, dpopJkt: null, authorizationId: null },
    ...{ tokenHash: hashSecret(response.access_token), exchangedHash: hashSecret(code) },
    ...{
      traceparent: null,
      viewId: null,
      credentialsLeft: null,
      sentAt: null,
      createdAt: calls.clock.at,
      expiresAt: plusMs(calls.clock.at, 300_000),
    },
  })
  expect(outcome.attributed.at(-1)).toEqual([offerId, { userId, sessionId }])
  expect(await stateOf(offerId)).toBe('spent')
})

test('a token for a key is valid for an hour, and has no refresh token', async () => {
  const { code } = await calls.newOffer()
  const outcome = await calls.redeemPreAuthorized(code, {}, { dpopJkt: 'jkt' })
  const { response } = outcome.granted!
  expect(response).toMatchObject({ token_type: 'DPoP', expires_in: 3600 })
  expect(response).not.toHaveProperty('refresh_token')
  expect(await calls.findSessionOf(outcome)).toMatchObject({ dpopJkt: 'jkt' })
})

test('the response has a nonce in the lenient profile only', async () => {
  const { code } = await calls.newOffer()
  const { granted } = await calls.redeemPreAuthorized(code, {}, { of: { ...calls.tenant, profile: 'lenient' } })
  expect(granted?.response).toMatchObject({ c_nonce: expect.any(String), c_nonce_expires_in: 300 })
})

test('the client is stored with the token', async () => {
  const client = { ...(await calls.newRegistered()), instanceJkt: 'instance' }
  const { code } = await calls.newOffer()
  expect(await calls.findSessionOf(await calls.redeemPreAuthorized(code, {}, { client }))).toMatchObject(client)
})

describe('authorization_details', () => {
  test('give an identifier for each configuration that they name', async () => {
    const { id: offerId, userId, code } = await calls.newOffer()
    const outcome = await calls.redeemPreAuthorized(code, { authorization_details: detailsOf('c2', 'c1', 'c2') })
    const { response, sessionId } = outcome.granted!
    const { authorization_details: details = [] } = response
    const type = 'openid_credential'
    expect(details).toEqual([
      { type, credential_configuration_id: 'c2', credential_identifiers: [expect.stringMatching(/^[\w-]{43}$/)] },
      { type, credential_configuration_id: 'c1', credential_identifiers: [expect.stringMatching(/^[\w-]{43}$/)] },
    ])
    const [[second = ''] = [], [first = ''] = []] = details.map((each) => each.credential_identifiers)
    expect(first).not.toBe(second)
    const credentialIdentifiers = { [second]: 'c2', [first]: 'c1' }
    const configurationIds = ['c1', 'c2']
    expect(await calls.findSessionOf(outcome)).toMatchObject({ userId, configurationIds, credentialIdentifiers })
    expect(outcome.attributed.at(-1)).toEqual([offerId, { userId, sessionId }])
  })

  const many = (count: number) => detailsOf(...Array<string>(count).fill('c1'))
  test.each<[string, string]>([
    ['another configuration', detailsOf('c1', 'c3')],
    ['no JSON', '[{'],
    ['no list', '{}'],
    ['an empty list', '[]'],
    ['101 entries', many(101)],
    ['another type', JSON.stringify([{ type: 'payment', credential_configuration_id: 'c1' }])],
    ['no configuration', JSON.stringify([{ type: 'openid_credential' }])],
    ['a configuration of 201 characters', detailsOf('c'.repeat(201))],
  ])('are refused with %s, and the code stays usable', async (_what, text) => {
    const { id, code } = await calls.newOffer()
    const { refusal } = await calls.redeemPreAuthorized(code, { authorization_details: text })
    expect(refusal).toMatchObject({ problem: 'invalid_authorization_details', check: 'authorization_details' })
    expect(await stateOf(id)).toBe('usable')
    expect((await calls.redeemPreAuthorized(code, { authorization_details: many(100) })).granted).toBeDefined()
  })
})

describe('a code is refused', () => {
  test('if it is missing', async () => {
    expect((await calls.redeemPreAuthorized(undefined)).refusal).toMatchObject({
      problem: 'invalid_request',
      message: expect.stringContaining('pre-authorized_code'),
    })
  })

  test('as a wrong secret unless it is exactly the code of an offer of the tenant', async () => {
    const { id, code } = await calls.newOffer()
    const others = [`${id}.`, `${code}x`, 'made-up.code', '', 'made-up']
    const wrong: [string, Sender?][] = [...others.map((each): [string] => [each])]
    wrong.push([code, { of: { ...calls.tenant, id: 'u' } }])
    for (const [sent, sender] of wrong) {
      const { refusal, attributed } = await calls.redeemPreAuthorized(sent, {}, sender)
      expect(refusal).toMatchObject({ problem: 'invalid_grant', isWrongSecret: true })
      expect(attributed).toEqual([])
    }
    expect((await calls.redeemPreAuthorized(code)).granted).toBeDefined()
  })

  test('when its offer expires', async () => {
    const [first, second] = [await calls.newOffer(), await calls.newOffer()]
    calls.advance(599_999)
    expect((await calls.redeemPreAuthorized(first.code)).granted).toBeDefined()
    calls.advance(1)
    const { refusal, attributed } = await calls.redeemPreAuthorized(second.code)
    expect(refusal).toMatchObject({ problem: 'invalid_grant', check: 'code_expiry', isWrongSecret: false })
    expect(attributed).toEqual([[second.id, { userId: second.userId, sessionId: null }]])
  })

  test('if its offer is deleted while the request is checked', async () => {
    const details = { authorization_details: detailsOf('c1') }
    for (const [txCode, request] of [
      ['123456', { tx_code: '123456' }],
      [undefined, details],
    ] as const) {
      const { id, code } = await calls.newOffer(txCode === undefined ? {} : { txCode })
      const tx: Deps['db']['tx'] = async (work) => {
        await calls.db.tx((first) => deleteOffer(first, 't', id))
        return calls.db.tx(work)
      }
      const outcome = await calls.redeemPreAuthorized(code, request, { using: { db: { ...calls.db, tx } } })
      expect(outcome.refusal).toMatchObject({ problem: 'invalid_grant', check: 'code_unused' })
    }
  })
})

describe('a transaction code', () => {
  const txCode = '123456'

  test('is required if the offer has one, and refused if it has none, without counting as a guess', async () => {
    const [with_, without] = [await calls.newOffer({ txCode }), await calls.newOffer()]
    for (let i = 0; i < 4; i++) {
      expect((await calls.redeemPreAuthorized(with_.code)).refusal).toMatchObject({
        problem: 'invalid_request',
        check: 'transaction_code_sent',
        isWrongGuess: false,
        message: expect.stringContaining('tx_code'),
      })
      const { refusal } = await calls.redeemPreAuthorized(without.code, { tx_code: txCode })
      expect(refusal).toMatchObject({
        problem: 'invalid_request',
        check: 'transaction_code_sent',
        message: expect.stringContaining('tx_code'),
      })
    }
    const outcome = await calls.redeemPreAuthorized(with_.code, { tx_code: txCode })
    expect(await calls.findSessionOf(outcome)).toMatchObject({ userId: with_.userId, offerId: with_.id })
    expect((await calls.redeemPreAuthorized(without.code)).granted).toBeDefined()
  })

  test('ends the offer when it is wrong for the third time', async () => {
    const { id, userId, code } = await calls.newOffer({ txCode })
    for (let i = 0; i < 3; i++) {
      expect(await stateOf(id)).toBe('usable')
      const { refusal, attributed } = await calls.redeemPreAuthorized(code, { tx_code: '654321' })
      expect(refusal).toMatchObject({ problem: 'invalid_grant', check: 'transaction_code', isWrongGuess: true })
      expect(attributed).toEqual([[id, { userId, sessionId: null }]])
    }
    expect(await stateOf(id)).toBe('ended')
    const { refusal } = await calls.redeemPreAuthorized(code, { tx_code: txCode })
    expect(refusal).toMatchObject({ problem: 'invalid_grant', check: 'transaction_code', isWrongGuess: false })
  })

  test('of another offer is wrong', async () => {
    const { code } = await calls.newOffer({ txCode })
    await calls.newOffer({ txCode: '654321' })
    const { refusal } = await calls.redeemPreAuthorized(code, { tx_code: '654321' })
    expect(refusal).toMatchObject({ problem: 'invalid_grant', isWrongGuess: true })
  })

  test('that is wrong three times after the code was used has no effect, and further ones are not checked', async () => {
    const { code } = await calls.newOffer({ txCode })
    const outcome = await calls.redeemPreAuthorized(code, { tx_code: txCode })
    for (const isWrongGuess of [true, true, true, false]) {
      const { refusal } = await calls.redeemPreAuthorized(code, { tx_code: '654321' })
      expect(refusal).toMatchObject({ problem: 'invalid_grant', isWrongGuess })
    }
    expect((await calls.redeemPreAuthorized(code, { tx_code: txCode })).refusal?.problem).toBe('invalid_grant')
    expect(await calls.findSessionOf(outcome)).toBeDefined()
  })
})

test('the operator can read why a code is refused, and the wallet cannot', async () => {
  const txCode = '123456'
  const redeem = async (code: string, sent?: string) =>
    (await calls.redeemPreAuthorized(code, sent === undefined ? {} : { tx_code: sent })).refusal
  const newest = await calls.newOffer({ expiresAt: calls.clock.at })
  const expired = await redeem(newest.code)

  const guessed = await calls.newOffer({ txCode })
  for (let i = 0; i < 3; i++) await redeem(guessed.code, '654321')
  const ended = await redeem(guessed.code, txCode)

  const spent = await calls.newOffer({ txCode })
  await redeem(spent.code, txCode)
  for (let i = 0; i < 3; i++) await redeem(spent.code, '654321')
  const unjudged = await redeem(spent.code, txCode)

  const [plain, coded] = [await calls.newOffer(), await calls.newOffer({ txCode })]
  await redeem(plain.code)
  await redeem(coded.code, txCode)
  const used = [await redeem(plain.code), await redeem(plain.code)]
  used.push(await redeem(coded.code, txCode), await redeem(coded.code, txCode))

  const all = [expired, ended, unjudged, ...used]
  expect(all.map((refusal) => refusal?.problem)).toEqual(Array(7).fill('invalid_grant'))
  expect(new Set(all.map((refusal) => refusal?.message)).size).toBe(1)
  expect(used.map((refusal) => refusal?.check)).toEqual(Array(4).fill('code_unused'))
  expect(new Set(used.map((refusal) => refusal?.reason)).size).toBe(1)
  expect(new Set(all.map((refusal) => refusal?.reason)).size).toBe(4)
  expect(all.every((refusal) => refusal?.reason !== refusal?.message)).toBe(true)
})
