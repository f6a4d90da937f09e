import { createHash, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  activeIaca,
  mappingsFrom,
  mdlClaims,
  mdlConfiguration,
  mdlNamespace,
  mdlType,
  newOffer,
} from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { elementsOf, readMdoc, verifyMdoc } from '../verifiers/mdoc-verifiers.ts'
import { collectWithLibrary, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let root: string
beforeAll(async () => {
  service = await startService()
  root = (await activeIaca(service, { stateOrProvinceName: 'NZ-WGN' })).certificatePem
})
afterAll(() => service[Symbol.asyncDispose]())

const holder = await newHolderKey()

async function collect(configurationId: string, claims: object = mdlClaims, stored?: object) {
  const user = stored && (await service.operator.post('/v1/users', { claims: stored })).body
  const offer = await newOffer(service, [configurationId], { claims, ...(user && { userId: user.id }) })
  const wallet = await newWallet(service, service.origin, offer.uri, holder)
  const { status, body } = await wallet.collect()
  return { offer, wallet, status, body, credential: body.credentials?.[0]?.credential as string }
}

async function recordOf(userId: string) {
  return (await service.operator.get(`/v1/users/${userId}/credentials`)).body.data.at(-1)
}

async function mobileConfiguration(body: object): Promise<string> {
  const created = await service.operator.post('/v2/credentials/mobile/configurations', body)
  expect(created).toMatchObject({ status: 201 })
  return created.body.id
}

const photoNamespace = 'org.iso.23220.1'
const photoClaims = {
  family_name: 'Lovelace',
  given_name: 'Ada',
  birth_date: '1990-12-10',
  portrait: mdlClaims.portrait,
  issue_date: '2026-01-01T09:00:00+13:00',
  expiry_date: '2036-01-01',
  issuing_authority: 'Passport Office',
  issuing_country: 'NZ',
  age_over_18: 'true',
}

describe('two libraries verify, with a presentation of it,', () => {
  test('an issued driving licence', async () => {
    const { credential } = await collect(await mdlConfiguration(service))
    const disclosed = { [mdlNamespace]: ['family_name', 'age_over_18', 'driving_privileges'] }
    await verifyMdoc({ credential, docType: mdlType, root, key: holder }, disclosed)
    const elements = elementsOf(credential)[mdlNamespace]!
    expect(elements).toMatchObject({ family_name: 'Lovelace', age_over_18: true, height: 170 })
    expect(Buffer.from(elements.portrait as Uint8Array).toString('base64')).toBe(mdlClaims.portrait)
    expect(Object.keys(elements)).toEqual(Object.keys(mdlClaims))
  })

  test('an issued photo ID', async () => {
    const docType = 'org.iso.23220.photoid.1'
    const claimMappings = {
      [photoNamespace]: mappingsFrom(photoClaims),
      'org.iso.23220.photoid.1': { person_id: { defaultValue: 'P-1' } },
    }
    const { credential } = await collect(await mobileConfiguration({ type: docType, claimMappings }), photoClaims)
    const disclosed = { [photoNamespace]: ['portrait', 'issue_date'], 'org.iso.23220.photoid.1': ['person_id'] }
    await verifyMdoc({ credential, docType, root, key: holder }, disclosed)
    expect(elementsOf(credential)[photoNamespace]).toMatchObject({ age_over_18: true })
  })

  test('an issued document of a private type, with the types that its configuration declares', async () => {
    const claimMappings = {
      'org.example.member.1': {
        since: { mapFrom: 'claims.since', type: 'full-date' },
        level: { defaultValue: '3', type: 'uint' },
        courses: { mapFrom: 'claims.courses', type: { arrayOf: { members: { at: 'tdate', sign: 'bstr' } } } },
        free: { mapFrom: 'claims.free' },
      },
    }
    const claims = {
      since: '2001-12-31',
      courses: [{ at: '2026-01-01T00:00:00Z', sign: 'AAEC', name: 'Sailing' }],
      free: { any: [1, null, 'text'] },
    }
    const docType = 'org.example.member.1'
    const { credential } = await collect(await mobileConfiguration({ type: docType, claimMappings }), claims)
    const disclosed = { [docType]: ['since', 'courses', 'free'] }
    await verifyMdoc({ credential, docType, root, key: holder }, disclosed)
    const [, level] = Object.values(elementsOf(credential)[docType]!)
    expect(level).toBe(3)
  })

  test('twenty copies that @openid4vc/openid4vci collects at once and that cannot be linked', async () => {
    const { uri } = await newOffer(service, [await mdlConfiguration(service, { expiresIn: { weeks: 1 } })], {
      claims: mdlClaims,
    })
    const { credentials, keys } = await collectWithLibrary(uri, { key: holder, by: 'jwk', copies: 20 })
    const copies = credentials.map(({ credential }) => credential as string)
    expect(copies).toHaveLength(20)
    for (const [at, credential] of copies.entries()) {
      const mdoc = { credential, docType: mdlType, root, key: keys[at]! }
      await verifyMdoc(mdoc, { [mdlNamespace]: ['given_name'] })
    }
    const read = copies.map(readMdoc)
    const times = read.map(({ mso }) =>
      JSON.stringify([...(mso.get('validityInfo') as unknown as Map<string, unknown>)]),
    )
    expect(new Set(times).size).toBe(1)
    const digests = read.flatMap(({ mso }) =>
      [...(mso.get('valueDigests') as unknown as Map<string, Map<number, Uint8Array>>).values()].flatMap((each) =>
        [...each.values()].map((digest) => Buffer.from(digest).toString('hex')),
      ),
    )
    expect(new Set(digests).size).toBe(20 * Object.keys(mdlClaims).length)
  })
})

test('a document is signed by a certificate under the root, and valid only within the times of that certificate', async () => {
  const { credential } = await collect(await mdlConfiguration(service, { expiresIn: { years: 30 } }))
  const { unprotected, mso, protectedHeader } = readMdoc(credential)
  const signer = new X509Certificate(unprotected.get(33)!)
  expect(signer.checkIssued(new X509Certificate(root))).toBe(true)
  expect(signer.issuer).not.toBe(signer.subject)
  expect([...protectedHeader]).toEqual([[1, -7]])
  const info = mso.get('validityInfo') as unknown as Map<string, Date>
  const [signed, validFrom, validUntil] = ['signed', 'validFrom', 'validUntil'].map((name) => new Date(info.get(name)!))
  expect(signed!.getTime()).toBeGreaterThanOrEqual(signer.validFromDate.getTime())
  expect(validFrom!.getTime()).toBeGreaterThanOrEqual(signed!.getTime())
  expect(validUntil!.getTime()).toBe(signer.validToDate.getTime())
  expect(mso.get('docType')).toBe(mdlType)
})

test('documents of one person contain the same hour and no exact time', async () => {
  const configurationId = await mdlConfiguration(service, { expiresIn: { days: 30 } })
  const times: string[] = []
  for (const minutes of [0, 7]) {
    const hour = 3_600_000
    // The certificate of the signer was made in an earlier hour.
    const ahead = 2 * hour - (service.clock.now().getTime() % hour) + minutes * 60_000
    service.clock.advance(ahead)
    const offer = await newOffer(service, [configurationId], { claims: mdlClaims })
    const wallet = await newWallet(service, service.origin, offer.uri, holder)
    await wallet.redeem()
    const jwt = await wallet.proof({ payload: { iat: Math.floor(service.clock.now().getTime() / 1000) } })
    const { body } = await wallet.requestCredential({ proofs: { jwt: [jwt] } })
    service.clock.advance(-ahead)
    const { mso } = readMdoc(body.credentials[0].credential)
    const info = mso.get('validityInfo') as unknown as Map<string, Date>
    for (const at of info.values()) expect(new Date(at).getTime() % hour).toBe(0)
    times.push(JSON.stringify([...info]))
  }
  expect(times[1]).toBe(times[0])
})

test('its record matches the document and contains no claims, and can be deleted', async () => {
  const { credential, offer } = await collect(await mdlConfiguration(service))
  const record = await recordOf(offer.userId)
  const { mso, msoBytes, items } = readMdoc(credential)
  expect(record).toMatchObject({
    profile: 'mobile',
    type: mdlType,
    status: 'valid',
    devicePublicKey: { crv: 'P-256', x: holder.publicJwk.x },
  })
  expect(record.msoHash).toBe(createHash('sha256').update(msoBytes).digest('base64url'))
  const info = mso.get('validityInfo') as unknown as Map<string, Date>
  expect(new Date(info.get('validUntil')!).toISOString()).toBe(record.validUntil)
  const signed = (mso.get('valueDigests') as unknown as Map<string, Map<number, Uint8Array>>).get(mdlNamespace)!
  expect(items.get(mdlNamespace)).toHaveLength(Object.keys(mdlClaims).length)
  expect(Object.keys(record.namespaces[mdlNamespace])).toEqual(Object.keys(mdlClaims))
  for (const { digestID, digest } of Object.values<{ digestID: number; digest: string }>(
    record.namespaces[mdlNamespace],
  )) {
    expect(Buffer.from(signed.get(digestID)!).toString('base64url')).toBe(digest)
  }
  expect(JSON.stringify(record)).not.toContain('Lovelace')

  const path = `/v2/credentials/mobile/${record.id}`
  expect(await service.operator.delete(path)).toMatchObject({ status: 204, body: undefined })
  expect(await recordOf(offer.userId)).toBeUndefined()
  expect(await service.operator.delete(path)).toMatchObject({ status: 404, body: { details: [{ param: 'id' }] } })
})

test('the validity can come from claims, within the validity of the signer', async () => {
  const times = {
    validFrom: { mapFrom: 'claims.from' },
    validUntil: { mapFrom: 'claims.until' },
    expiresIn: { days: 1 },
  }
  const configurationId = await mdlConfiguration(service, times)
  const day = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString().slice(0, 10)
  const { offer } = await collect(configurationId, { ...mdlClaims, from: '2001-01-01', until: day })
  const record = await recordOf(offer.userId)
  expect(record.validUntil).toBe(`${day}T23:00:00.000Z`)
  expect(Math.abs(Date.parse(record.validFrom) - Date.now())).toBeLessThan(3_600_000)
  // Stored claims can change after the offer is made, so that the offer is not refused.
  for (const until of ['2020-01-01', 'soon']) {
    const { status, body } = await collect(configurationId, mdlClaims, { until })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'credential_request_denied' })
  }
})

test('a photo ID can name the country of its IACA with three letters', async () => {
  const claims = { ...photoClaims, issuing_country: 'NZL' }
  const claimMappings = { [photoNamespace]: mappingsFrom(claims) }
  const configurationId = await mdlConfiguration(service, { type: 'org.iso.23220.photoid.1', claimMappings })
  const { credential } = await collect(configurationId, claims)
  expect(elementsOf(credential)[photoNamespace]).toMatchObject({ issuing_country: 'NZL' })
  const { body } = await service.operator.post('/v1/openid/offers/pre-authorized', {
    ...{ credentials: [configurationId], claims: { ...claims, issuing_country: 'AUS' } },
  })
  expect(body.details).toMatchObject([{ param: 'claims', msg: expect.stringContaining('issuing_country must be NZ') }])
})

test.each([
  ['no value for a mandatory element', { portrait: undefined }, 'portrait'],
  ['another country than its signer', { issuing_country: 'AU', issuing_jurisdiction: undefined }, 'issuing_country'],
  ['another jurisdiction than its signer', { issuing_jurisdiction: 'NZ-AUK' }, 'issuing_jurisdiction'],
])('%s: refused by name, to the wallet and in the timeline', async (_what, wrong, name) => {
  const stored = { ...mdlClaims, issuing_jurisdiction: 'NZ-WGN', ...wrong }
  const claimMappings = { [mdlNamespace]: mappingsFrom(stored) }
  const { status, body, offer } = await collect(await mdlConfiguration(service, { claimMappings }), {}, stored)
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'credential_request_denied' })
  expect(body.error_description).toContain(`${mdlNamespace} ${name}`)
  await expect
    .poll(async () => JSON.stringify((await service.operator.get(`/v1/openid/offers/${offer.id}/timeline`)).body))
    .toContain(`${mdlNamespace} ${name}`)
})

test('a document without elements is refused', async () => {
  const claimMappings = { own: { one: { mapFrom: 'claims.one' }, other: { mapFrom: 'claims.other' } } }
  const configurationId = await mobileConfiguration({ type: 'org.example.empty', claimMappings })
  const { status, body } = await collect(configurationId, { another: 1 })
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'credential_request_denied' })
  expect(body.error_description).toContain('no value for any element')
  expect((await collect(configurationId, { other: 1 })).status).toBe(200)
})

const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)

test.each([
  ['a day that is none', { birth_date: '2026-02-30' }, 'birth_date'],
  ['a portrait that is no base64', { portrait: 'not base64!' }, 'portrait'],
  ['a height that is no whole number', { height: 1.5 }, 'height'],
  ['privileges without a category', { driving_privileges: [{}] }, 'driving_privileges'],
])('an offer with %s is refused by name', async (_what, wrong, name) => {
  const request = { credentials: [await mdlConfiguration(service)], claims: { ...mdlClaims, ...wrong } }
  const refused = await service.operator.post('/v1/openid/offers/pre-authorized', request)
  expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'claims' }] } })
  expect(refused.body.details[0].msg).toContain(`${mdlNamespace} ${name} must be`)
})

test('an offer with an element of 100 levels is refused, one of 40 is issued', async () => {
  const claimMappings = { own: { deep: { mapFrom: 'claims.deep' } } }
  const configurationId = await mobileConfiguration({ type: 'org.example.deep', claimMappings })
  const request = { credentials: [configurationId], claims: { deep: deep(100) } }
  expect(await service.operator.post('/v1/openid/offers/pre-authorized', request)).toMatchObject({ status: 400 })
  const { credential } = await collect(configurationId, { deep: deep(40) })
  expect(elementsOf(credential)).toEqual({ own: { deep: deep(40) } })
})

test('a portrait of 200 KB needs less than 1.5 times its bytes', async () => {
  const portrait = Buffer.alloc(200_000, 5)
  const { body, credential } = await collect(await mdlConfiguration(service), {
    ...mdlClaims,
    portrait: portrait.toString('base64'),
  })
  expect(JSON.stringify(body).length).toBeLessThan(1.5 * portrait.length)
  expect(portrait.equals(elementsOf(credential)[mdlNamespace]!.portrait as Uint8Array)).toBe(true)
})

test('the timeline of a tenant without an active IACA names what is missing, and the same offer works with one', async () => {
  const tenant = await service.addTenant()
  const offer = await newOffer(tenant, [await mdlConfiguration(tenant)], { claims: mdlClaims })
  const wallet = await newWallet(tenant, service.origin, offer.uri, holder)
  expect(await wallet.collect()).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
  await activeIaca(tenant)
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  await expect
    .poll(async () => JSON.stringify((await tenant.operator.get(`/v1/openid/offers/${offer.id}/timeline`)).body))
    .toContain('no active IACA')
})
