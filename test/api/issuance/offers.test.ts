import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { sharedOffers } from '../../../db/tables/issuance/shared-offers.ts'
import { idOfReference } from '../../../shared/domain/issuance/short-references.ts'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newWallet, preAuthorizedGrant, readOffer } from '../../wallets/wallet.ts'

let service: Service
let other: TestTenant
let configuration: string
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
  configuration = await compactConfiguration(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/openid/offers/pre-authorized'
const sharedPath = '/v1/openid/offers'
const addressIn = (uri: string) => new URL(new URL(uri).searchParams.get('credential_offer_uri') ?? '')
const many = (count: number) => Promise.all(Array.from({ length: count }, () => semanticConfiguration(service)))

/** Expects that neither the id, which events and webhooks contain, nor another secret opens the offer. */
async function expectOpenedByItsSecretAlone(id: string, pathname: string, another: string): Promise<void> {
  const shortId = pathname.slice(-44, -22)
  const wrong = [id, `${id}.${'A'.repeat(43)}`, `${shortId}${'A'.repeat(22)}`, `${shortId}${another.slice(-22)}`]
  for (const each of wrong) {
    expect(await service.anonymous.get(`${sharedPath}/${each}`)).toMatchObject({ status: 404 })
  }
  expect(await service.anonymous.get(pathname)).toMatchObject({ status: 200 })
}

describe('a pre-authorized offer', () => {
  test('is returned with its id, its user, its URI and its end after five minutes', async () => {
    const before = service.clock.now().getTime()
    const offer = await newOffer(service, [configuration])
    expect(Object.keys(offer).sort()).toEqual(['expiresAt', 'id', 'page', 'uri', 'userId'])
    expect(offer.expiresAt).toBeGreaterThanOrEqual(before + 300_000)
    expect(offer.expiresAt).toBeLessThanOrEqual(service.clock.now().getTime() + 300_000)
    expect((await service.operator.get(`/v1/users/${offer.userId}`)).body).toEqual({ id: offer.userId, claims: {} })
    expect(offer.uri).toMatch(/^openid-credential-offer:\/\/\?credential_offer=/)
    expect(await readOffer(offer.uri, service.anonymous)).toEqual({
      credential_issuer: service.baseUrl,
      credential_configuration_ids: [configuration],
      credentials: [configuration],
      grants: { [preAuthorizedGrant]: { 'pre-authorized_code': expect.stringMatching(/^[\w-]{36}\.[\w-]{43}$/) } },
    })
  })

  test('has each configuration once, in the order of the request', async () => {
    const [first, second] = await many(2)
    const offer = await newOffer(service, [second!, first!, second!])
    const content = await readOffer(offer.uri, service.anonymous)
    expect(content.credential_configuration_ids).toEqual([second, first])
  })

  test('of many configurations is fetched by reference until it is redeemed, expired or deleted', async () => {
    const ids = await many(30)
    const offered = () => newOffer(service, ids, { transactionCodeConfiguration: { description: 'By post' } })
    const at = ({ uri }: { uri: string }) => service.anonymous.get(addressIn(uri).pathname)
    const [redeemed, expired, deleted] = [await offered(), await offered(), await offered()]
    for (const offer of [redeemed, expired, deleted]) {
      const { origin, pathname } = addressIn(offer.uri)
      expect({ origin, pathname }).toEqual({
        origin: service.baseUrl,
        pathname: expect.stringMatching(new RegExp(`^${sharedPath}/[\\w-]{44}$`)),
      })
      expect(idOfReference(pathname.slice(-44))).toBe(offer.id)
      expect(await at(offer)).toMatchObject({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: {
          credential_configuration_ids: ids,
          grants: {
            [preAuthorizedGrant]: { tx_code: { input_mode: 'numeric', length: 6, description: 'By post' } },
          },
        },
      })
      expect(await other.anonymous.get(addressIn(offer.uri).pathname)).toMatchObject({ status: 404 })
    }
    const wallet = await newWallet(service, service.origin, redeemed.uri)
    await wallet.redeem({ tx_code: redeemed.transactionCode! })
    expect(await at(redeemed)).toMatchObject({ status: 410, body: { code: 'Gone' } })

    await service.operator.delete(`${path}/${deleted.id}`)
    expect(await at(deleted)).toMatchObject({ status: 404, body: { code: 'NotFound' } })

    service.clock.advance(300_001)
    expect(await at(expired)).toMatchObject({ status: 410 })
    service.clock.advance(-300_001)
  })

  test('is fetched by reference if the request says so, and not by its id', async () => {
    const { id, uri } = await newOffer(service, [configuration], { by: 'reference' })
    const another = await newOffer(service, [configuration], { by: 'reference' })
    await expectOpenedByItsSecretAlone(id, addressIn(uri).pathname, addressIn(another.uri).pathname)
    const wallet = await newWallet(service, service.origin, uri)
    expect(await wallet.collect()).toMatchObject({ status: 200 })
  })

  test('with a % in it works in its URI, also for a wallet that decodes the URI twice', async () => {
    const description = String.raw`100% by \%post, 5%25`
    const extra = { transactionCodeConfiguration: { description } }
    const { uri, transactionCode } = await newOffer(service, [configuration], extra)
    const texts = [new URL(uri), new URL(decodeURIComponent(uri))].map(({ searchParams }) => {
      return JSON.parse(searchParams.get('credential_offer') ?? '')
    })
    for (const { grants } of texts) expect(grants[preAuthorizedGrant].tx_code.description).toBe(description)
    const wallet = await newWallet(service, service.origin, uri)
    expect(await wallet.redeem({ tx_code: transactionCode! })).toMatchObject({ status: 200 })
    const byReference = await newOffer(service, [configuration], { ...extra, by: 'reference' })
    const { tx_code } = (await service.anonymous.get(addressIn(byReference.uri).pathname)).body.grants[
      preAuthorizedGrant
    ]
    expect(tx_code.description).toBe(description)
  })

  test('from before the secrets in addresses is served by its id until it expires', async () => {
    const { id } = await newOffer(service, [configuration], { by: 'reference' })
    await service.deps.db.tx((tx) => tx.update(offers).set({ referenceHash: null }).where(eq(offers.id, id)))
    expect(await service.anonymous.get(`${sharedPath}/${id}`)).toMatchObject({ status: 200 })
    service.clock.advance(300_001)
    expect(await service.anonymous.get(`${sharedPath}/${id}`)).toMatchObject({ status: 410 })
    service.clock.advance(-300_001)
  })

  test('by value is not served by reference', async () => {
    const { id } = await newOffer(service, [configuration])
    expect(await service.anonymous.get(`${sharedPath}/${id}`)).toMatchObject({ status: 404 })
    expect(await service.anonymous.get(`${sharedPath}/${randomUUID()}`)).toMatchObject({ status: 404 })
    expect(await service.anonymous.get(`${sharedPath}/x`)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'id', location: 'params' }] },
    })
  })

  test('is deleted once, by its own tenant, in any state', async () => {
    const usable = await newOffer(service, [configuration])
    expect(await other.operator.delete(`${path}/${usable.id}`)).toMatchObject({
      status: 404,
      body: { code: 'NotFound', details: [{ param: 'id', location: 'params' }] },
    })
    expect(await service.operator.delete(`${path}/${usable.id}`)).toMatchObject({ status: 204, body: undefined })
    expect(await service.operator.delete(`${path}/${usable.id}`)).toMatchObject({ status: 404 })

    const claimed = await newOffer(service, [configuration])
    await (await newWallet(service, service.origin, claimed.uri)).collect()
    expect(await service.operator.delete(`${path}/${claimed.id}`)).toMatchObject({ status: 204 })
    const records = await service.operator.get(`/v1/users/${claimed.userId}/credentials`)
    expect(records.body.data).toHaveLength(1)
  })

  const bounds: [expiresIn: Record<string, number>, lasts: number][] = [
    [{ seconds: 1 }, 1000],
    [{ minutes: 10 }, 600_000],
    [{ seconds: 600 }, 600_000],
    [{ minutes: 9, seconds: 60 }, 600_000],
  ]
  for (const [expiresIn, lasts] of bounds) {
    test(`may last ${JSON.stringify(expiresIn)}`, async () => {
      const before = service.clock.now().getTime()
      const { expiresAt } = await newOffer(service, [configuration], { expiresIn })
      expect(expiresAt).toBeGreaterThanOrEqual(before + lasts)
      expect(expiresAt).toBeLessThanOrEqual(service.clock.now().getTime() + lasts)
    })
  }

  test('prevents the deletion of its configuration while it is usable', async () => {
    const offeredUntil = async (end: (id: string, uri: string) => Promise<unknown>) => {
      const id = await compactConfiguration(service)
      const remove = () => service.operator.delete(`/v2/credentials/compact/configurations/${id}`)
      const offer = await newOffer(service, [id])
      expect(await remove()).toMatchObject({ status: 409, body: { code: 'Conflict' } })
      await end(offer.id, offer.uri)
      expect(await remove()).toMatchObject({ status: 204 })
    }
    await offeredUntil((id) => service.operator.delete(`${path}/${id}`))
    await offeredUntil(async (_id, uri) => (await newWallet(service, service.origin, uri)).collect())
    await offeredUntil(async () => service.clock.advance(300_001))
    service.clock.advance(-300_001)
  })
})

describe('a pre-authorized offer is refused with the name of the field, and no user is created, if', () => {
  const unknown = randomUUID()
  const rows: Record<string, [body: () => Record<string, unknown> | Promise<Record<string, unknown>>, param: string]> =
    {
      'credentials are missing': [() => ({ credentials: undefined }), 'credentials'],
      'credentials are empty': [() => ({ credentials: [] }), 'credentials'],
      'credentials are not a list': [() => ({ credentials: configuration }), 'credentials'],
      'a credential is not an id': [() => ({ credentials: [configuration, 'x'] }), 'credentials.1'],
      'a configuration does not exist': [() => ({ credentials: [configuration, unknown] }), 'credentials.1'],
      'a configuration is of another tenant': [
        async () => ({ credentials: [await compactConfiguration(other)] }),
        'credentials.0',
      ],
      'there are 101 credentials': [() => ({ credentials: Array.from({ length: 101 }, randomUUID) }), 'credentials'],
      'userId is not an id': [() => ({ userId: 'x' }), 'userId'],
      'the user does not exist': [() => ({ userId: unknown }), 'userId'],
      'the user is of another tenant': [
        async () => ({ userId: (await other.operator.post('/v1/users', {})).body.id }),
        'userId',
      ],
      'claims are a list': [() => ({ claims: [] }), 'claims'],
      'claims are null': [() => ({ claims: null }), 'claims'],
      'claimsToPersist are not a list': [() => ({ claimsToPersist: 'given_name' }), 'claimsToPersist'],
      'a claim to persist is not a name': [() => ({ claimsToPersist: ['a', 7] }), 'claimsToPersist.1'],
      'the transaction code is text': [
        () => ({ transactionCodeConfiguration: { inputMode: 'text' } }),
        'transactionCodeConfiguration.inputMode',
      ],
      'its description is longer than 300 characters': [
        () => ({ transactionCodeConfiguration: { description: 'x'.repeat(301) } }),
        'transactionCodeConfiguration.description',
      ],
      'its duration is zero': [() => ({ expiresIn: { minutes: 0 } }), 'expiresIn'],
      'it lasts longer than ten minutes': [() => ({ expiresIn: { minutes: 10, seconds: 1 } }), 'expiresIn'],
      'it lasts eleven minutes': [() => ({ expiresIn: { minutes: 11 } }), 'expiresIn.minutes'],
      'its duration is negative': [() => ({ expiresIn: { seconds: -1 } }), 'expiresIn.seconds'],
      'it lasts half a second': [() => ({ expiresIn: { seconds: 0.5 } }), 'expiresIn.seconds'],
      'expiresIn is a number': [() => ({ expiresIn: 300 }), 'expiresIn'],
    }
  for (const [name, [body, param]] of Object.entries(rows)) {
    test(name, async () => {
      const fields = await body()
      const users = async () => (await service.operator.get('/v1/users?limit=1000')).body.data.length
      const before = await users()
      const refused = await service.operator.post(path, { credentials: [configuration], ...fields })
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'BadRequest', message: 'Validation Error', details: [{ param, location: 'body' }] },
      })
      expect(await users()).toBe(before)
    })
  }

  test('several fields are wrong, with the names of all', async () => {
    const body = { credentials: ['x', 'y'], userId: 7, expiresIn: { minutes: 99 } }
    const { body: answer } = await service.operator.post(path, body)
    const params = answer.details.map((each: { param: string }) => each.param)
    expect(params.sort()).toEqual(['credentials.0', 'credentials.1', 'expiresIn.minutes', 'userId'])
  })
})

test('unknown fields are ignored, and neither stored nor returned', async () => {
  const { status, body } = await service.operator.post(path, { credentials: [configuration], state: 'claimed', x: 1 })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(['expiresAt', 'id', 'page', 'uri', 'userId', 'warnings'])
})

describe('a shared offer', () => {
  test('has configurations and no user, and can be fetched any number of times', async () => {
    const web = await webConfiguration(service)
    const { status, body } = await service.operator.post(sharedPath, {
      credentials: [configuration, web, web],
      request_parameters: { login_hint: 'ada', prompt: 'login' },
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['uri', 'page'])
    expect(await readOffer(body.uri, service.anonymous)).toEqual({
      credential_issuer: service.baseUrl,
      credential_configuration_ids: [configuration, web],
      credentials: [configuration, web],
      grants: { authorization_code: { issuer_state: expect.any(String) } },
    })

    const long = await service.operator.post(sharedPath, { credentials: await many(30) })
    const reference = addressIn(long.body.uri)
    for (let times = 0; times < 2; times++) {
      const fetched = await service.anonymous.get(reference.pathname)
      expect(fetched).toMatchObject({ status: 200, body: { credential_issuer: service.baseUrl } })
    }
    expect(await other.anonymous.get(reference.pathname)).toMatchObject({ status: 404 })
  })

  test('is fetched by reference if the request says so, and not by its id', async () => {
    const made = () => service.operator.post(sharedPath, { credentials: [configuration], by: 'reference' })
    const [address, another] = [addressIn((await made()).body.uri), addressIn((await made()).body.uri)]
    const id = idOfReference(address.pathname.split('/').at(-1) ?? '')
    await expectOpenedByItsSecretAlone(id, address.pathname, another.pathname)

    // Printed offers from before the secrets in addresses still work.
    await service.deps.db.tx((tx) =>
      tx.update(sharedOffers).set({ referenceHash: null }).where(eq(sharedOffers.id, id)),
    )
    expect(await service.anonymous.get(`${sharedPath}/${id}`)).toMatchObject({ status: 200 })
  })

  test('is refused with the name of the wrong field', async () => {
    const rows: [body: Record<string, unknown>, param: string][] = [
      [{}, 'credentials'],
      [{ credentials: [randomUUID()] }, 'credentials.0'],
      [{ credentials: [configuration], request_parameters: { login_hint: 7 } }, 'request_parameters.login_hint'],
      [{ credentials: [configuration], request_parameters: [] }, 'request_parameters'],
    ]
    for (const [body, param] of rows) {
      const refused = await service.operator.post(sharedPath, body)
      expect(refused).toMatchObject({ status: 400, body: { details: [{ param, location: 'body' }] } })
    }
  })
})

test('only admins and issuers can create offers', async () => {
  for (const role of ['issuer', 'managed-issuer']) {
    const issuer = await service.as(role)
    expect(await issuer.post(path, { credentials: [configuration] })).toMatchObject({ status: 200 })
    expect(await issuer.post(sharedPath, { credentials: [configuration] })).toMatchObject({ status: 200 })
  }
  const auditor = await service.as('auditor', 'verifier', 'holder')
  for (const each of [path, sharedPath]) {
    expect(await auditor.post(each, { credentials: [configuration] })).toMatchObject({ status: 403, body: undefined })
    expect(await service.anonymous.post(each, {})).toMatchObject({ status: 401, body: 'Unauthorized' })
  }
})
