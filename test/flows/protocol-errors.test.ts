import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiResponse, createApi } from '../harness/api-client.ts'
import { bothChallenges } from '../harness/challenges.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { expectOauthError } from '../harness/oauth-error.ts'
import { newHolderKey, newWallet, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: Service
let other: TestTenant
let configuration: string
let second: string
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  configuration = await compactConfiguration(service)
  second = await webConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const tokenPath = '/v1/oauth/token'
const credentialPath = '/v1/openid/credential'
const newKey = newHolderKey()
const details = (...entries: unknown[]) => JSON.stringify(entries)
const detail = (id: string) => ({ type: 'openid_credential', credential_configuration_id: id })

const withTransactionCode = { transactionCodeConfiguration: {} }
const wrongCodeFor = (right: string | undefined) => (right === '000000' ? '000001' : '000000')

async function startedOffer(extra: Record<string, unknown> = {}, ids = [configuration]) {
  const offer = await newOffer(service, ids, extra)
  const content = await readOffer(offer.uri, service.anonymous)
  const code: string = content.grants[preAuthorizedGrant]['pre-authorized_code']
  const wallet = await newWallet(service, service.origin, offer.uri, await newKey)
  const right: Record<string, string> = {
    grant_type: preAuthorizedGrant,
    'pre-authorized_code': code,
    ...(offer.transactionCode === undefined ? {} : { tx_code: offer.transactionCode }),
  }
  return { ...offer, code, wallet, right }
}
type Started = Awaited<ReturnType<typeof startedOffer>>

const post = (form: Record<string, string> | [string, string][], tenant: TestTenant = service) =>
  tenant.anonymous.post(tokenPath, new URLSearchParams(form))

describe('a token request is refused and the offer stays usable, when', () => {
  interface Fault {
    error: string
    status?: number
    offer?: Record<string, unknown>
    send: (started: Started) => Promise<ApiResponse>
  }
  const withDetails = (text: string | (() => string), error = 'invalid_authorization_details'): Fault => ({
    error,
    send: ({ right }) => post({ ...right, authorization_details: typeof text === 'string' ? text : text() }),
  })
  const faults: Record<string, Fault> = {
    'the grant type is missing': {
      error: 'invalid_request',
      send: ({ right: { grant_type, ...rest } }) => post(rest),
    },
    'the grant type is empty': { error: 'invalid_request', send: ({ right }) => post({ ...right, grant_type: '' }) },
    'the grant type is unknown': {
      error: 'unsupported_grant_type',
      send: ({ right }) => post({ ...right, grant_type: 'password' }),
    },
    'the grant type is a name that objects inherit': {
      error: 'unsupported_grant_type',
      send: ({ right }) => post({ ...right, grant_type: 'constructor' }),
    },
    'the code is missing': { error: 'invalid_request', send: () => post({ grant_type: preAuthorizedGrant }) },
    'the code is unknown': {
      error: 'invalid_grant',
      send: ({ right }) => post({ ...right, 'pre-authorized_code': 'AAAA' }),
    },
    'the code is of another tenant': { error: 'invalid_grant', send: ({ right }) => post(right, other) },
    'a parameter is repeated': {
      error: 'invalid_request',
      send: ({ right, code }) => post([...Object.entries(right), ['pre-authorized_code', code]]),
    },
    'a parameter is repeated with another value': {
      error: 'invalid_request',
      send: ({ right }) => post([...Object.entries(right), ['grant_type', 'password']]),
    },
    'a parameter holds a NUL': {
      error: 'invalid_request',
      send: ({ right }) => post({ ...right, client_id: 'wallet\u0000' }),
    },
    'it is JSON and no form': {
      error: 'invalid_request',
      send: ({ right }) => service.anonymous.post(tokenPath, right),
    },
    'it has no body': { error: 'invalid_request', send: () => service.anonymous.post(tokenPath) },
    'it is larger than any token request': {
      error: 'invalid_request',
      status: 413,
      send: ({ right }) => post({ ...right, resource: 'x'.repeat(120_000) }),
    },
    'a transaction code is sent where there is none': {
      error: 'invalid_request',
      send: ({ right }) => post({ ...right, tx_code: '123456' }),
    },
    'the transaction code is missing': {
      error: 'invalid_request',
      offer: withTransactionCode,
      send: ({ right: { tx_code, ...rest } }) => post(rest),
    },
    'the transaction code is wrong': {
      error: 'invalid_grant',
      offer: withTransactionCode,
      send: ({ right }) => post({ ...right, tx_code: wrongCodeFor(right.tx_code) }),
    },
    'authorization_details are no JSON': withDetails('['),
    'authorization_details are no array': withDetails(() => JSON.stringify(detail(configuration))),
    'authorization_details are empty': withDetails('[]'),
    'authorization_details are of another type': withDetails(() =>
      details({ ...detail(configuration), type: 'payment_initiation' }),
    ),
    'authorization_details name no configuration': withDetails(details({ type: 'openid_credential' })),
    'authorization_details name a configuration that is not offered': withDetails(() =>
      details(detail(configuration), detail(second)),
    ),
    'authorization_details name what no configuration is called': withDetails(details(detail('__proto__'))),
    'authorization_details are wrong beside a right transaction code': {
      ...withDetails('[]'),
      offer: withTransactionCode,
    },
  }
  for (const [name, { error, status, offer, send }] of Object.entries(faults)) {
    test(`${name}: ${error}`, async () => {
      const started = await startedOffer(offer)
      expectOauthError(await send(started), error, status)
      expect(await post(started.right)).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 300 } })
    })
  }
})

describe('a token request', () => {
  test('gets a response that must not be cached', async () => {
    const { right } = await startedOffer()
    const answer = await post(right)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(Object.keys(answer.body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
  })

  test('can contain unknown parameters, and parameters without a value (RFC 6749, section 3.2)', async () => {
    const { right } = await startedOffer()
    const extra: [string, string][] = [
      ['user_pin', '1234'],
      ['resource', service.baseUrl],
      ['resource', 'https://other.example'],
      ['client_id', ''],
      ['tx_code', ''],
      ['authorization_details', ''],
    ]
    expect(await post([...Object.entries(right), ...extra])).toMatchObject({ status: 200 })
  })

  test('redeems a code once', async () => {
    const { right, wallet } = await startedOffer()
    expect(await wallet.redeem()).toMatchObject({ status: 200 })
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
    expectOauthError(await post(right), 'invalid_grant')
  })

  test('is refused after the offer has expired', async () => {
    const { right, expiresAt } = await startedOffer({ expiresIn: { seconds: 30 } })
    const left = expiresAt - service.clock.now().getTime()
    service.clock.advance(left + 1)
    expectOauthError(await post(right), 'invalid_grant')
    service.clock.advance(-left - 1)
  })

  test('is refused after the offer was deleted', async () => {
    const { id, right } = await startedOffer()
    await service.operator.delete(`/v1/openid/offers/pre-authorized/${id}`)
    expectOauthError(await post(right), 'invalid_grant')
  })
})

describe('a transaction code', () => {
  const guess = ({ right }: Started) => post({ ...right, tx_code: wrongCodeFor(right.tx_code) })

  test('can be wrong twice', async () => {
    const started = await startedOffer(withTransactionCode)
    expectOauthError(await guess(started), 'invalid_grant')
    expectOauthError(await guess(started), 'invalid_grant')
    expect(await post(started.right)).toMatchObject({ status: 200 })
  })

  test('that is wrong three times ends the offer', async () => {
    const started = await startedOffer(withTransactionCode)
    for (let attempt = 0; attempt < 3; attempt++) expectOauthError(await guess(started), 'invalid_grant')
    expectOauthError(await post(started.right), 'invalid_grant')
  })

  test('has three concurrent guesses at most: of twenty, three are checked', async () => {
    const started = await startedOffer(withTransactionCode)
    const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(started)))
    for (const answer of guesses) expectOauthError(answer, 'invalid_grant')
    const judged = guesses.filter(({ body }) => body.error_description.includes('tx_code'))
    expect(judged).toHaveLength(3)
    expectOauthError(await post(started.right), 'invalid_grant')
  })

  test('that is missing or malformed does not count as a guess', async () => {
    const started = await startedOffer(withTransactionCode)
    const { tx_code, ...without } = started.right
    for (let attempt = 0; attempt < 4; attempt++) expectOauthError(await post(without), 'invalid_request')
    expect(await post(started.right)).toMatchObject({ status: 200 })
  })
})

test('authorization_details get identifiers, and the configuration id stays usable', async () => {
  const { wallet } = await startedOffer({}, [configuration, second])
  const token = await wallet.redeem({ authorization_details: details(detail(configuration), detail(configuration)) })
  expect(token).toMatchObject({
    status: 200,
    body: { authorization_details: [{ ...detail(configuration), credential_identifiers: [expect.any(String)] }] },
  })
  const [identifier] = token.body.authorization_details[0].credential_identifiers
  const byIdentifier = { credential_configuration_id: undefined, credential_identifier: identifier }
  expect(await wallet.requestCredential(byIdentifier)).toMatchObject({ status: 200 })
  expect(await wallet.requestCredential({ credential_configuration_id: second })).toMatchObject({ status: 200 })

  const once = await startedOffer()
  await once.wallet.redeem({ authorization_details: details(detail(configuration)) })
  expect(await once.wallet.requestCredential()).toMatchObject({ status: 200 })
})

/** A wallet with its token and a nonce that it has not used. */
async function redeemed(ids = [configuration], extra: Record<string, unknown> = {}) {
  const offer = await newOffer(service, ids, extra)
  const wallet = await newWallet(service, service.origin, offer.uri, await newKey)
  const token: string = (await wallet.redeem()).body.access_token
  const nonce = await wallet.nonce()
  return { ...offer, wallet, token, nonce, jwt: await wallet.proof({ nonce }) }
}
type Redeemed = Awaited<ReturnType<typeof redeemed>>

const rightRequest = ({ wallet, jwt }: Redeemed) => wallet.requestCredential({ proofs: { jwt: [jwt] } })

describe('a credential request is refused, and offer and nonce stay usable, when', () => {
  type Send = (redeemed: Redeemed) => Promise<ApiResponse>
  const withBody =
    (body: (redeemed: Redeemed) => Record<string, unknown>): Send =>
    (all) =>
      all.wallet.requestCredential({ proofs: { jwt: [all.jwt] }, ...body(all) })
  const withProofs = (proofs: (jwt: string) => unknown) => withBody(({ jwt }) => ({ proofs: proofs(jwt) }))
  const raw =
    (body: string | Buffer | undefined, contentType?: string): Send =>
    ({ token }) =>
      createApi(service.origin, service.host, token).post(
        credentialPath,
        body,
        contentType === undefined ? {} : { 'content-type': contentType },
      )
  const malformed: Record<string, Send> = {
    'the body is no JSON': raw('{"proofs":'),
    'the body is no object': raw('[]'),
    'there is no body': raw(undefined),
    'the body is not UTF-8': raw(Buffer.from([0x22, 0xff, 0x22])),
    'the media type is another': (all) =>
      raw(`{"credential_configuration_id":"${configuration}","proofs":{"jwt":["${all.jwt}"]}}`, 'text/plain')(all),
    'a form is sent': raw('credential_configuration_id=x', 'application/x-www-form-urlencoded'),
    'a member appears twice': raw('{"credential_configuration_id":"a","credential_configuration_id":"b"}'),
    'no credential is named': withBody(() => ({ credential_configuration_id: undefined })),
    'a credential is named in both ways': withBody(() => ({ credential_identifier: 'x' })),
    'the configuration id is no text': withBody(() => ({ credential_configuration_id: 7 })),
    'proofs is no object': withProofs((jwt) => [jwt]),
  }
  const unacceptableProofs: Record<string, Send> = {
    'proofs is missing': withProofs(() => undefined),
    'proofs is empty': withProofs(() => ({})),
    'there is no proof of its type': withProofs(() => ({ jwt: [] })),
    'there are two types of proofs': withProofs((jwt) => ({ jwt: [jwt], attestation: [jwt] })),
    'the type of proof is unknown': withProofs((jwt) => ({ paper: [jwt] })),
    'the type of proof is a name that objects inherit': withProofs((jwt) => ({ constructor: [jwt] })),
    'the proof is no array': withProofs((jwt) => ({ jwt })),
    'a proof is no text': withProofs((jwt) => ({ jwt: [jwt, { jwt }] })),
    'there are 21 proofs': withProofs((jwt) => ({ jwt: Array.from({ length: 21 }, () => jwt) })),
    'two proofs are of one key': withProofs((jwt) => ({ jwt: [jwt, jwt] })),
  }
  const unknownIdentifier = (credential_identifier: string) =>
    withBody(() => ({ credential_configuration_id: undefined, credential_identifier }))
  const faults: Record<string, Record<string, Send>> = {
    invalid_credential_request: malformed,
    invalid_proof: unacceptableProofs,
    unknown_credential_configuration: {
      'the configuration does not exist': withBody(() => ({ credential_configuration_id: 'nothing' })),
      'the configuration is not of this offer': withBody(() => ({ credential_configuration_id: second })),
    },
    unknown_credential_identifier: {
      'the identifier was never given': unknownIdentifier('nothing'),
      'the identifier is a name that objects inherit': unknownIdentifier('constructor'),
      'the identifier is a configuration id': (all) => unknownIdentifier(configuration)(all),
    },
    invalid_encryption_parameters: {
      'its answer is to be encrypted': withBody(() => ({ credential_response_encryption: { enc: 'A256GCM' } })),
    },
  }
  for (const [error, rows] of Object.entries(faults)) {
    for (const [name, send] of Object.entries(rows)) {
      test(`${name}: ${error}`, async () => {
        const all = await redeemed()
        expectOauthError(await send(all), error)
        expect(await rightRequest(all)).toMatchObject({ status: 200 })
      })
    }
  }

  test('it is larger than any credential request: invalid_credential_request', async () => {
    const all = await redeemed()
    expectOauthError(await withBody(() => ({ extra: 'x'.repeat(320_000) }))(all), 'invalid_credential_request')
    expect(await rightRequest(all)).toMatchObject({ status: 200 })
  })

  test('a required claim has no value: credential_request_denied, and the claim is named', async () => {
    const all = await redeemed([configuration, second], { claims: { level: 'B2' } })
    const refused = await rightRequest(all)
    expectOauthError(refused, 'credential_request_denied')
    expect(refused.body.error_description).toContain('given_name')
    await service.operator.put(`/v1/users/${all.userId}`, { claims: { given_name: 'Ada' } })
    expect(await rightRequest(all)).toMatchObject({ status: 200 })
  })
})

describe('a credential request without permission is refused', () => {
  const send = (headers: Record<string, string>, tenant: TestTenant = service) =>
    tenant.anonymous.post(credentialPath, { credential_configuration_id: configuration }, headers)
  const plain = false
  const invalid = true
  const rows: Record<string, [isWrongToken: boolean, send: (all: Redeemed) => Promise<ApiResponse>]> = {
    'without a token': [plain, () => send({})],
    'with another scheme': [plain, ({ token }) => send({ authorization: `Basic ${token}` })],
    'with a token that is none': [invalid, () => send({ authorization: 'Bearer nonsense' })],
    'with a token that cannot be one': [invalid, () => send({ authorization: 'Bearer a"b' })],
    'with two tokens': [invalid, ({ token }) => send({ authorization: `Bearer ${token} ${token}` })],
    'with a management token': [invalid, () => service.operator.post(credentialPath, {})],
  }
  for (const [name, [isWrongToken, ask]] of Object.entries(rows)) {
    test(name, async () => {
      const all = await redeemed()
      const refused = await ask(all)
      expectOauthError(refused, 'invalid_token', 401)
      expect(refused.headers['www-authenticate']).toBe(bothChallenges(service, isWrongToken))
      expect(await rightRequest(all)).toMatchObject({ status: 200 })
    })
  }

  test('with a token of another tenant', async () => {
    const { token } = await redeemed()
    const refused = await send({ authorization: `Bearer ${token}` }, other)
    expectOauthError(refused, 'invalid_token', 401)
    expect(refused.headers['www-authenticate']).toBe(bothChallenges(other, true))
  })

  test('after five minutes', async () => {
    const { token } = await redeemed()
    service.clock.advance(301_000)
    const refused = await send({ authorization: `Bearer ${token}` })
    service.clock.advance(-301_000)
    expectOauthError(refused, 'invalid_token', 401)
    expect(refused.headers['www-authenticate']).toBe(bothChallenges(service, true))
  })
})

describe('a credential request', () => {
  test('can contain unknown members, and its scheme can be in any case', async () => {
    const { jwt, token } = await redeemed()
    const older = { format: 5, proof: 7, types: 'x', doctype: {}, credential_definition: [] }
    const body = { credential_configuration_id: configuration, proofs: { jwt: [jwt] }, ...older }
    const answer = await service.anonymous.post(credentialPath, body, { authorization: `bEARER ${token}` })
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  })

  test('is refused after the offer was deleted', async () => {
    const all = await redeemed()
    await service.operator.delete(`/v1/openid/offers/pre-authorized/${all.id}`)
    expectOauthError(await rightRequest(all), 'credential_request_denied')
  })

  test('is served after the expiry of the offer if it was redeemed before', async () => {
    const all = await redeemed([configuration], { expiresIn: { seconds: 1 } })
    service.clock.advance(2000)
    expect(await rightRequest(all)).toMatchObject({ status: 200 })
    service.clock.advance(-2000)
  })
})
