import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sentMarks } from '../../api/issuance/credential/sent-marks.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { collectWithLibrary, newHolderKey, newWallet, readOffer } from '../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('with the wallet library @openid4vc/openid4vci', () => {
  for (const alg of ['ES256', 'EdDSA'] as const) {
    for (const by of ['jwk', 'did'] as const) {
      test(`a compact credential is collected with an ${alg} key named by ${by}`, async () => {
        const offer = await newOffer(service, [await compactConfiguration(service)])
        const { credentials } = await collectWithLibrary(offer.uri, { key: await newHolderKey(alg), by })
        expect(credentials).toHaveLength(1)
        expect(credentials[0]?.credential).toMatch(/^CSC:\/1\/[A-Z2-7]+$/)
      })
    }
  }

  test('a compact semantic credential is a CSS text', async () => {
    const offer = await newOffer(service, [await semanticConfiguration(service)])
    const { credentials } = await collectWithLibrary(offer.uri, { key: await newHolderKey(), by: 'jwk' })
    expect(credentials[0]?.credential).toMatch(/^CSS:\/1\/[A-Z2-7]+$/)
  })

  test('a web semantic credential is an object with its proof', async () => {
    const offer = await newOffer(service, [await webConfiguration(service)])
    const { credentials } = await collectWithLibrary(offer.uri, { key: await newHolderKey('EdDSA'), by: 'did' })
    expect(credentials[0]?.credential).toMatchObject({
      type: ['VerifiableCredential', 'CourseCertificate'],
      issuer: { id: service.did, name: 'Test University' },
      credentialSubject: { given_name: 'Ada', level: 'B1' },
      proof: { type: 'Ed25519Signature2018', proofPurpose: 'assertionMethod' },
    })
  })

  test('twenty proofs make twenty credentials, each bound to its own key', async () => {
    const offer = await newOffer(service, [await compactConfiguration(service)])
    const { credentials } = await collectWithLibrary(offer.uri, { key: await newHolderKey(), by: 'jwk', copies: 20 })
    expect(new Set(credentials.map(({ credential }) => credential)).size).toBe(20)
    const records = await service.operator.get(`/v1/users/${offer.userId}/credentials`)
    expect(records.body.data).toHaveLength(20)
    expect(
      new Set(records.body.data.map((each: { devicePublicKey: { x: string } }) => each.devicePublicKey.x)).size,
    ).toBe(20)
  })

  test('a transaction code opens the offer that requires it', async () => {
    const offer = await newOffer(service, [await compactConfiguration(service)], {
      transactionCodeConfiguration: { description: 'From the letter' },
    })
    expect(offer.transactionCode).toMatch(/^\d{6}$/)
    const content = await readOffer(offer.uri, service.anonymous)
    expect(content.grants['urn:ietf:params:oauth:grant-type:pre-authorized_code'].tx_code).toEqual({
      input_mode: 'numeric',
      length: 6,
      description: 'From the letter',
    })
    const { credentials } = await collectWithLibrary(offer.uri, {
      key: await newHolderKey(),
      by: 'jwk',
      ...(offer.transactionCode === undefined ? {} : { txCode: offer.transactionCode }),
    })
    expect(credentials).toHaveLength(1)
  })

  test('an offer of many configurations is sent by reference, and is removed after it was redeemed', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => semanticConfiguration(service)))
    const offer = await newOffer(service, ids)
    expect(offer.uri).toContain('credential_offer_uri=')
    const { credentials } = await collectWithLibrary(offer.uri, { key: await newHolderKey(), by: 'jwk' })
    expect(credentials).toHaveLength(1)
    const reference = new URL(new URL(offer.uri).searchParams.get('credential_offer_uri') ?? '')
    expect(await service.anonymous.get(reference.pathname)).toMatchObject({
      status: 410,
      body: { code: 'Gone' },
    })
  })
})

test('a pre-authorized offer gives one credential, however often it is requested', async () => {
  const offer = await newOffer(service, [await compactConfiguration(service)])
  const wallet = await newWallet(service, service.origin, offer.uri)
  const first = await wallet.collect()
  expect(first).toMatchObject({ status: 200 })
  const jwt = await wallet.proof({ key: await newHolderKey() })
  expect(await wallet.requestCredential({ proofs: { jwt: [jwt] } })).toMatchObject({
    status: 400,
    body: { error: 'credential_request_denied' },
  })
  // Its own key gets the same, now and later, as long as the token lives.
  await service.deps.services.of(sentMarks).flush()
  for (let times = 0; times < 2; times++) {
    expect(await wallet.requestCredential()).toMatchObject({ status: 200, body: first.body })
  }
  const records = await service.operator.get(`/v1/users/${offer.userId}/credentials`)
  expect(records.body.data).toHaveLength(1)
  expect(await wallet.redeem()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('each credential of an offer of three is issued once, to the session that redeemed the offer', async () => {
  const ids = [
    await compactConfiguration(service),
    await semanticConfiguration(service),
    await webConfiguration(service),
  ]
  const offer = await newOffer(service, ids)
  const wallet = await newWallet(service, service.origin, offer.uri)
  await wallet.redeem()
  const collected = () =>
    Promise.all(ids.map((id) => wallet.requestCredential({ credential_configuration_id: id }).then(({ body }) => body)))
  const first = await collected()
  for (const body of first) expect(body.credentials).toHaveLength(1)
  expect(await collected()).toEqual(first)
})

test('of fifty pairs of concurrent token requests for an offer, exactly one gets a token, and collects with it', async () => {
  const configuration = await compactConfiguration(service)
  const key = await newHolderKey()
  async function race() {
    const { id, uri } = await newOffer(service, [configuration])
    const wallets = await Promise.all([0, 1].map(() => newWallet(service, service.origin, uri, key)))
    const answers = await Promise.all(wallets.map((wallet) => wallet.redeem()))
    const winner = wallets[answers.findIndex(({ status }) => status === 200)]
    const collected = await winner?.requestCredential()
    const [offer] = await service.deps.db.read.select().from(offers).where(eq(offers.id, id))
    return { statuses: answers.map(({ status }) => status).sort(), collected: collected?.status, state: offer?.state }
  }
  // A second request more than ten seconds after the first would revoke its token. So few pairs race at the same time.
  for (let group = 0; group < 10; group++)
    for (const result of await Promise.all(Array.from({ length: 5 }, race)))
      expect(result).toEqual({ statuses: [200, 400], collected: 200, state: 'claimed' })
})

test('each of fifty sessions that send two concurrent requests gets one credential', async () => {
  const configuration = await compactConfiguration(service)
  const key = await newHolderKey()
  const other = await newHolderKey()
  const races = Array.from({ length: 50 }, async () => {
    const { uri, userId } = await newOffer(service, [configuration])
    const wallet = await newWallet(service, service.origin, uri, key)
    await wallet.redeem()
    const proofs = [await wallet.proof(), await wallet.proof({ key: other })]
    const answers = await Promise.all(proofs.map((jwt) => wallet.requestCredential({ proofs: { jwt: [jwt] } })))
    const records = await service.operator.get(`/v1/users/${userId}/credentials`)
    return { statuses: answers.map(({ status }) => status).sort(), records: records.body.data.length }
  })
  for (const race of await Promise.all(races)) expect(race).toEqual({ statuses: [200, 400], records: 1 })
})
