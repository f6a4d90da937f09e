import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer, semanticConfiguration, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startReceiver, verify } from '../servers/receiver.ts'
import { type DidDocument, fetchDidDocument, plain, verifyCwt, verifyJsonLd } from '../verifiers/outside-verifiers.ts'
import { makeProof, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let did: DidDocument
beforeAll(async () => {
  service = await startService()
  did = await fetchDidDocument(service.anonymous)
})
afterAll(() => service[Symbol.asyncDispose]())

const profiles = {
  compact: compactConfiguration,
  'compact-semantic': semanticConfiguration,
  'web-semantic': webConfiguration,
}
type Profile = keyof typeof profiles
const holder = await newHolderKey()

/** One credential of a new offer, with its record. */
async function issue(
  profile: Profile,
  configuration: Record<string, unknown> = {},
  offered: Record<string, unknown> = {},
) {
  const configurationId = await profiles[profile](service, configuration)
  const offer = await newOffer(service, [configurationId], offered)
  const wallet = await newWallet(service, service.origin, offer.uri, holder)
  const { status, body } = await wallet.collect()
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  const records = await service.operator.get(`/v1/users/${offer.userId}/credentials`)
  return {
    configurationId,
    offer,
    wallet,
    credential: body.credentials[0].credential,
    record: records.body.data.at(-1),
  }
}

/** The claims of a compact credential that is issued at that time. */
async function issueAt(at: number, expiresIn: Record<string, number>): Promise<Map<unknown, unknown>> {
  const configurationId = await compactConfiguration(service, { expiresIn })
  const aheadMs = at - service.clock.now().getTime()
  service.clock.advance(aheadMs)
  const offer = await newOffer(service, [configurationId])
  const wallet = await newWallet(service, service.origin, offer.uri, holder)
  await wallet.redeem()
  const jwt = await wallet.proof({ payload: { iat: Math.floor(at / 1000) } })
  const { body } = await wallet.requestCredential({ proofs: { jwt: [jwt] } })
  service.clock.advance(-aheadMs)
  return verifyCwt(body.credentials[0].credential, did).claims
}

/** The claims of a credential of any profile, after its signature was checked by others. */
async function verifiedClaims(profile: Profile, credential: unknown): Promise<Record<string, unknown>> {
  if (profile === 'web-semantic') {
    expect(await verifyJsonLd(credential, did)).toBe(true)
    const { id, ...claims } = (credential as { credentialSubject: Record<string, unknown> }).credentialSubject
    return claims
  }
  const { claims } = verifyCwt(credential, did)
  if (profile === 'compact-semantic')
    return (plain(claims.get('vc')) as Record<string, Record<string, unknown>>).credentialSubject!
  const { type, ...custom } = Object.fromEntries([...claims].filter(([name]) => typeof name === 'string'))
  return plain(new Map(Object.entries(custom))) as Record<string, unknown>
}

const uuidOf = (cti: unknown) =>
  Buffer.from(cti as Uint8Array)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
const secondsOf = (text: string) => Math.floor(Date.parse(text) / 1000)
const hourOf = (text: string) => Math.floor(Date.parse(text) / 3_600_000) * 3600

describe('a CWT credential', () => {
  for (const [profile, prefix] of [
    ['compact', 'CSC:/1/'],
    ['compact-semantic', 'CSS:/1/'],
  ] as const) {
    test(`of the profile ${profile} is signed by the issuer's P-256 key, bound to the holder's key, and has the id and dates of its record`, async () => {
      const { credential, record } = await issue(profile, { expiresIn: { months: 1, days: 2 } })
      const cwt = verifyCwt(credential, did)
      expect(cwt.prefix).toBe(prefix)
      expect(cwt.claims.get(1)).toBe(service.did)
      expect(uuidOf(cwt.claims.get(7))).toBe(record.id)
      expect(cwt.claims.get(5)).toBe(secondsOf(record.validFrom))
      expect(cwt.claims.get(6)).toBe(hourOf(record.issuedDate))
      expect(cwt.claims.get(4)).toBe(secondsOf(record.validUntil))

      const cnf = cwt.claims.get(8) as Map<number, Map<number, unknown>>
      expect(plain([...cnf.get(1)!])).toEqual(
        plain([
          [1, 2],
          [-1, 1],
          [-2, Buffer.from(holder.publicJwk.x!, 'base64url')],
          [-3, Buffer.from(holder.publicJwk.y!, 'base64url')],
        ]),
      )
    })
  }

  test('expires by the calendar: a month after the last of January is the last of February', async () => {
    const claims = await issueAt(Date.UTC(2026, 0, 31, 10), { months: 1, days: 2 })
    const end = new Date(Number(claims.get(4)) * 1000)
    expect(end.toISOString()).toBe('2026-03-02T10:00:00.000Z')
  })

  test.each<[Record<string, number>, number]>([
    [{ hours: 2 }, 3600],
    [{ hours: 1, minutes: 59 }, 60],
    [{ minutes: 2 }, 60],
    [{ seconds: 90 }, 1],
    [{ seconds: 2 }, 1],
  ])('for %o has times that are rounded to %i s, and at least half of its lifetime left', async (expiresIn, unit) => {
    // Near the end of an hour, where rounding down takes most.
    const at = Math.ceil(service.clock.now().getTime() / 3_600_000) * 3_600_000 + 3_599_000
    const claims = await issueAt(at, expiresIn)
    const [exp = 0, nbf = 0, iat] = [4, 5, 6].map((name) => Number(claims.get(name)))
    expect([exp % unit, nbf % unit, iat]).toEqual([0, 0, nbf])
    const { hours = 0, minutes = 0, seconds = 0 } = expiresIn
    const lifetime = hours * 3600 + minutes * 60 + seconds
    expect(exp - nbf).toBeLessThanOrEqual(lifetime)
    expect(exp - at / 1000).toBeGreaterThanOrEqual(lifetime / 2)
  })

  test('without a lifetime does not expire', async () => {
    const { credential, record } = await issue('compact-semantic')
    expect(verifyCwt(credential, did).claims.has(4)).toBe(false)
    expect(record).not.toHaveProperty('validUntil')
  })

  test('is bound to the key of a DID and contains the DID', async () => {
    const configurationId = await compactConfiguration(service)
    const asJwk = `did:jwk:${Buffer.from(JSON.stringify(holder.publicJwk)).toString('base64url')}`
    const named = { jwk: undefined, kid: `${asJwk}#0` }
    for (const [subject, proof] of [[holder.did, { by: 'kid' }] as const, [asJwk, { header: named }] as const]) {
      const offer = await newOffer(service, [configurationId])
      const wallet = await newWallet(service, service.origin, offer.uri, holder)
      await wallet.redeem()
      const { body } = await wallet.requestCredential({ proofs: { jwt: [await wallet.proof(proof)] } })
      expect(verifyCwt(body.credentials[0].credential, did).claims.get(2)).toBe(subject)
    }
  })
})

test('jsonld-signatures accepts a web semantic credential, and refuses it with a changed claim', async () => {
  const { credential, record } = await issue('web-semantic', { expiresIn: { years: 1 } })
  expect(await verifyJsonLd(credential, did)).toBe(true)
  expect(credential).toMatchObject({
    id: `urn:uuid:${record.id}`,
    issuer: { id: service.did },
    issuanceDate: `${record.validFrom.slice(0, 19)}Z`,
    expirationDate: `${record.validUntil.slice(0, 19)}Z`,
    credentialSubject: { id: holder.did },
    proof: { verificationMethod: expect.stringContaining(`${service.did}#`) },
  })
  expect(secondsOf(record.validFrom)).toBe(hourOf(record.issuedDate))
  expect(credential.proof.created).toBe(credential.issuanceDate)
  const changed = { ...credential, credentialSubject: { ...credential.credentialSubject, given_name: 'Eve' } }
  expect(await verifyJsonLd(changed, did)).toBe(false)
})

describe('the record of a credential', () => {
  for (const profile of Object.keys(profiles) as Profile[]) {
    test(`of the profile ${profile} describes the issuance and contains no claims`, async () => {
      const { record, offer, configurationId } = await issue(profile, { expiresIn: { weeks: 1 } })
      const { kty, crv, x, y } = holder.publicJwk
      expect(record).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: expect.any(String),
        profile,
        signerId: expect.any(String),
        offerId: offer.id,
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        credentialConfigurationId: configurationId,
        devicePublicKey: { kty, crv, x, y },
        issuedDate: expect.stringMatching(/Z$/),
        validFrom: new Date(hourOf(record.issuedDate) * 1000).toISOString(),
        validUntil: expect.stringMatching(/Z$/),
        status: 'valid',
      })
      expect(JSON.stringify(record)).not.toContain('"Ada"')
    })
  }
})

test('copies of a batch have the same hour and differ only in key and id', async () => {
  const configurationId = await compactConfiguration(service)
  const offer = await newOffer(service, [configurationId])
  const wallet = await newWallet(service, service.origin, offer.uri, holder)
  await wallet.redeem()
  const nonce = await wallet.nonce()
  const keys = [holder, await newHolderKey(), await newHolderKey('EdDSA')]
  const jwt = await Promise.all(keys.map((key) => makeProof({ issuer: service.baseUrl, key, nonce })))
  const { body } = await wallet.requestCredential({ proofs: { jwt } })
  const copies = body.credentials.map(({ credential }: { credential: string }) => verifyCwt(credential, did).claims)
  const records = await service.operator.get(`/v1/users/${offer.userId}/credentials`)
  const hour = secondsOf(records.body.data[0].validFrom)
  expect(hour % 3600).toBe(0)
  expect(Math.abs(service.clock.now().getTime() / 1000 - hour)).toBeLessThan(3660)
  for (const name of [5, 6])
    expect(copies.map((claims: Map<number, unknown>) => claims.get(name))).toEqual([hour, hour, hour])
  for (const name of [7, 8]) {
    expect(new Set(copies.map((claims: Map<number, unknown>) => JSON.stringify(plain(claims.get(name))))).size).toBe(3)
  }
})

describe('the claims of a credential', () => {
  const claimMappings = {
    fromOffer: { mapFrom: 'claims.fromOffer', defaultValue: 'default' },
    fromUser: { mapFrom: 'claims.fromUser', defaultValue: 'default' },
    byDefault: { mapFrom: 'claims.byDefault', defaultValue: 'default' },
    fixed: { defaultValue: 'fixed' },
    absent: { mapFrom: 'claims.absent' },
    city: { mapFrom: 'claims.address.city' },
    byUrl: { mapFrom: "claims['https://claims.example/level'].value" },
    quoted: { mapFrom: 'claims["it\'s"]' },
    subject: { mapFrom: 'authenticationProvider.subjectId' },
    provider: { mapFrom: 'authenticationProvider.url' },
  }
  for (const profile of Object.keys(profiles) as Profile[]) {
    test(`of the profile ${profile} come from the offer, then the user, then the default, by any path`, async () => {
      const provider = await providerOf(service)
      const user = await service.operator.post('/v1/users', {
        claims: { fromOffer: 'user', fromUser: 'user', address: { city: 'Riga' }, "it's": [1, true] },
        authenticationProvider: { providerId: provider.id, subjectId: `subject of ${profile}` },
      })
      const { credential } = await issue(
        profile,
        { claimMappings },
        {
          userId: user.body.id,
          claims: { fromOffer: 'offer', 'https://claims.example/level': { value: 3 }, byDefault: null, unmapped: 'x' },
        },
      )
      expect(await verifiedClaims(profile, credential)).toEqual({
        fromOffer: 'offer',
        fromUser: 'user',
        byDefault: 'default',
        fixed: 'fixed',
        city: 'Riga',
        byUrl: 3,
        quoted: [1, true],
        subject: `subject of ${profile}`,
        provider: provider.url,
      })
      expect((await service.operator.get(`/v1/users/${user.body.id}`)).body.claims).toEqual(user.body.claims)
    })
  }

  test('are stored with the user if the offer says so, and no others', async () => {
    const { offer } = await issue(
      'compact',
      {},
      {
        claims: { given_name: 'Ada', family_name: 'L', secret: 1 },
        claimsToPersist: ['family_name', 'given_name', 'none'],
      },
    )
    const { body } = await service.operator.get(`/v1/users/${offer.userId}`)
    expect(body.claims).toEqual({ given_name: 'Ada', family_name: 'L' })

    const merged = await issue(
      'compact',
      {},
      { userId: offer.userId, claims: { given_name: 'Eve', more: [1] }, claimsToPersist: ['more', 'given_name'] },
    )
    const after = await service.operator.get(`/v1/users/${merged.offer.userId}`)
    expect(after.body.claims).toEqual({ given_name: 'Eve', family_name: 'L', more: [1] })
  })
})

async function providerOf({ operator }: Service): Promise<{ id: string; url: string }> {
  const listed = await operator.get('/v1/users/authentication-providers')
  if (listed.body.data.length > 0) return listed.body.data[0]
  const body = { url: 'https://login.example', scope: ['openid'], clientId: 'c', clientSecret: 'secret-secret' }
  return (await operator.post('/v1/users/authentication-providers', body)).body
}

test('webhooks get signed events with the ids of the record, with or without the credential', async () => {
  await using withCredential = await startReceiver()
  await using summary = await startReceiver()
  await service.operator.post('/v1/webhooks', { url: withCredential.url, events: ['OpenIdCredentialIssued'] })
  await service.operator.post('/v1/webhooks', { url: summary.url, events: ['OpenIdCredentialIssuedSummary'] })
  const jwks = (await service.anonymous.get('/v1/webhooks/jwks')).body
  for (const profile of Object.keys(profiles) as Profile[]) {
    const { credential, record, offer } = await issue(profile)
    const payload = {
      format: { compact: 'cwt', 'compact-semantic': 'cwt_vc', 'web-semantic': 'ldp_vc' }[profile],
      userId: offer.userId,
      credentialProfile: profile,
      credentialConfigurationId: record.credentialConfigurationId,
      credentialId: record.id,
      credentialOfferId: offer.id,
      sessionId: record.sessionId,
    }
    for (const [{ deliveries }, expected] of [
      [withCredential, { ...payload, credential }],
      [summary, payload],
    ] as const) {
      const delivery = await eventually(async () =>
        deliveries.find(({ body }) => body.event.payload.credentialId === record.id),
      )
      expect(delivery.body.event.payload).toEqual(expected)
      expect(await verify(delivery, jwks)).toBe(true)
    }
  }
})
