import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOffer, webConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { sign } from '../../harness/signing.ts'
import { fetchDidDocument, verifyJsonLd } from '../../verifiers/outside-verifiers.ts'
import { newHolderKey, newWallet } from '../../wallets/wallet.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

const contexts = '/v2/credentials/web-semantic/contexts'
const configurations = '/v2/credentials/web-semantic/configurations'
const url = 'https://terms.example/courses/v1'
const courses = (vocabulary: string) => ({
  '@context': {
    '@version': 1.1,
    '@protected': true,
    level: `https://${vocabulary}/level`,
    Course: { '@id': `https://${vocabulary}/Course`, '@context': { room: `https://${vocabulary}/room` } },
  },
})

async function newContext(tenant: TestTenant, document: object = courses('one.example'), at = url): Promise<string> {
  const { status, body } = await tenant.operator.post(contexts, { url: at, document })
  expect([status, body]).toEqual([201, { id: expect.any(String), url: at }])
  return body.id
}

/** Signs a credential that names the context. */
async function signed(tenant: TestTenant): Promise<Record<string, unknown>> {
  const payload = { '@context': [url], type: ['Course'], credentialSubject: { level: 'B1', room: '7' } }
  const { status, body } = await sign(tenant, 'web-semantic', { payload })
  expect([status, body]).toEqual([200, expect.anything()])
  return body.credential
}

async function isVerified(tenant: TestTenant, credential: unknown, document: object): Promise<boolean> {
  return verifyJsonLd(credential, await fetchDidDocument(tenant.anonymous), { [url]: structuredClone(document) })
}

test('a context is created, listed without its document, read and deleted, and a tenant has one context per URL', async () => {
  const tenant = await service.addTenant()
  const id = await newContext(tenant)
  expect((await tenant.operator.get(contexts)).body).toStrictEqual({ data: [{ id, url }] })
  const document = courses('one.example')
  expect((await tenant.operator.get(`${contexts}/${id}`)).body).toStrictEqual({ id, url, document })
  expect(await tenant.operator.post(contexts, { url, document })).toMatchObject({ status: 409 })
  expect(await tenant.operator.delete(`${contexts}/${id}`)).toMatchObject({ status: 204 })
  expect(await tenant.operator.get(`${contexts}/${id}`)).toMatchObject({ status: 404 })
  expect((await tenant.operator.get(contexts)).body.data).toEqual([])
})

const nested = (levels: number): object =>
  levels === 0 ? {} : { t: { '@id': 'https://a.example/t', '@context': nested(levels - 1) } }
const many = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, value]))
const scoped = { '@id': 'https://a.example/s', '@context': { '@version': 1.1 } }
const contextUrl = 'https://w3id.org/citizenship/v1'

const refused: Record<string, unknown> = {
  'without a context': { context: {} },
  'that refers to an unknown context': { '@context': ['https://elsewhere.example/v1'] },
  'that refers to itself': { '@context': [url] },
  'that imports an unknown context': { '@context': { '@version': 1.1, '@import': 'https://elsewhere.example/v1' } },
  'that refers to a URL inside a term': {
    '@context': { a: { '@id': 'https://a.example/a', '@context': 'http://10.0.0.1/' } },
  },
  'that refers to a file': { '@context': ['file:///etc/passwd'] },
  'that refers too often to a known context': {
    '@context': many(4, { '@id': 'https://a.example/s', '@context': [contextUrl] }),
  },
  'that resets all contexts': { '@context': [null] },
  'that resets all contexts in a term': { '@context': { a: { '@id': 'https://a.example/a', '@context': null } } },
  'that is a number': { '@context': 7 },
  'with the name of a JavaScript property': { '@context': { constructor: 'https://a.example/c' } },
  'with such a name in a term': {
    '@context': { a: { '@id': 'https://a.example/a', '@context': { toString: 'https://a.example/c' } } },
  },
  'nested too deeply': { '@context': nested(12) },
  'of too many terms': { '@context': many(1_001, 'https://a.example/t') },
  'of too many contexts': { '@context': many(51, scoped) },
  'that gives a protected term another meaning': { '@context': { VerifiableCredential: 'https://a.example/issuer' } },
  'that protects a term of the proof': {
    '@context': { '@version': 1.1, '@protected': true, created: 'https://a.example/created' },
  },
  'that protects a term of all credentials': {
    '@context': { '@version': 1.1, '@protected': true, issuer: 'https://a.example/issuer' },
  },
  'with a cycle of terms': { '@context': { a: 'b:x', b: 'a:x' } },
  'with an invalid term': { '@context': { a: { '@id': 7 } } },
  'of another version': { '@context': { '@version': 2 } },
  'that redefines a keyword': { '@context': { '@type': 'https://a.example/type' } },
}
test.each(Object.keys(refused))('a context %s is refused with a message that says what to do', async (name) => {
  const answer = await service.operator.post(contexts, { url, document: refused[name] })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ location: 'body' }] } })
  expect(answer.body.details[0].param).toMatch(/^document/)
  expect(answer.body.details[0].msg).toMatch(/^Must (?!be a valid JSON-LD context of a credential: .*[^a-z@ IR-])/)
  expect((await service.operator.get(contexts)).body.data).toEqual([])
})

test('no tenant can redefine the URL of a well-known context in any spelling', async () => {
  const taken = [
    ...[contextUrl, 'https://www.w3.org/2018/credentials/v1', 'https://www.w3.org/ns/credentials/v2'],
    ...['https://identity.foundation/.well-known/did-configuration/v1', 'https://WWW.w3.org/2018/credentials/v1'],
    ...[
      'https://www.w3.org:443/2018/credentials/v1',
      'https://www.w3.org/2018/./credentials/v1',
      'https://terms.example',
    ],
    ...['http://terms.example/v1', `${url}#v1`, 'terms', 'urn:example:v1'],
  ]
  for (const each of taken) {
    const answer = await service.operator.post(contexts, { url: each, document: { '@context': {} } })
    expect([each, answer.status, answer.body.details?.[0].param]).toEqual([each, 400, 'url'])
  }
})

test("an independent verifier verifies a credential only with the tenant's own context", async () => {
  const [tenant, neighbour] = [await service.addTenant(), await service.addTenant()]
  const [one, two] = [courses('one.example'), courses('two.example')]
  const id = await newContext(tenant, one)
  await newContext(neighbour, two)
  for (let round = 0; round < 2; round++) {
    const [own, theirs] = [await signed(tenant), await signed(neighbour)]
    expect(own['@context']).toContain(url)
    expect([await isVerified(tenant, own, one), await isVerified(tenant, own, two)]).toEqual([true, false])
    expect([await isVerified(neighbour, theirs, two), await isVerified(neighbour, theirs, one)]).toEqual([true, false])
  }
  // A context that is deleted and created again has its new meaning.
  await tenant.operator.delete(`${contexts}/${id}`)
  const without = await sign(tenant, 'web-semantic', {
    payload: { '@context': [url], type: ['Course'], credentialSubject: {} },
  })
  expect(without).toMatchObject({ status: 400, body: { details: [{ param: 'payload.@context.0' }] } })
  await newContext(tenant, two)
  const again = await signed(tenant)
  expect([await isVerified(tenant, again, two), await isVerified(tenant, again, one)]).toEqual([true, false])
})

test('a tenant verifies with its own contexts and never with those of another tenant', async () => {
  const [tenant, neighbour, thirdTenant] = [
    await service.addTenant(),
    await service.addTenant(),
    await service.addTenant(),
  ]
  await newContext(tenant, courses('one.example'))
  await newContext(neighbour, courses('two.example'))
  const credential = await signed(tenant)
  const verdict = async ({ operator }: TestTenant, payload: unknown = credential) =>
    (await operator.post('/v2/credentials/web-semantic/verify', { payload })).body
  expect(await verdict(tenant)).toMatchObject({ verified: true })
  expect(await verdict(tenant, { ...credential, credentialSubject: { level: 'C1', room: '7' } })).toMatchObject({
    verified: false,
  })
  expect(await verdict(neighbour)).toMatchObject({ verified: false, reason: { type: 'InvalidSignature' } })
  expect(await verdict(thirdTenant)).toMatchObject({ verified: false, reason: { type: 'UnknownContext' } })
})

test('a configuration can name a context, and each issued copy verifies with it', async () => {
  const tenant = await service.addTenant()
  await newContext(tenant)
  const configurationId = await webConfiguration(tenant, { contexts: [url], type: 'Course' })
  const wallet = await newWallet(tenant, service.origin, (await newOffer(tenant, [configurationId])).uri)
  await wallet.redeem()
  const nonce = await wallet.nonce()
  const jwt = [await wallet.proof({ nonce }), await wallet.proof({ nonce, key: await newHolderKey() })]
  const { body } = await wallet.requestCredential({ proofs: { jwt } })
  expect(body.credentials).toHaveLength(2)
  for (const { credential } of body.credentials) {
    expect(await isVerified(tenant, credential, courses('one.example'))).toBe(true)
    expect(await isVerified(tenant, credential, courses('two.example'))).toBe(false)
  }
})

test('a configuration cannot name an unknown context or contexts that conflict', async () => {
  const [tenant, neighbour] = [await service.addTenant(), await service.addTenant()]
  await newContext(neighbour)
  const body = { name: 'Course', type: 'Course', issuer: { name: 'University' }, claimMappings: {} }
  const named = (urls: string[]) => tenant.operator.post(configurations, { ...body, contexts: urls })
  const answer = await named([contextUrl, url])
  expect(answer).toMatchObject({
    status: 400,
    body: { details: [{ param: 'contexts.1', location: 'body', value: url }] },
  })
  await newContext(tenant, courses('one.example'))
  await newContext(tenant, courses('two.example'), `${url}2`)
  const clash = await named([url, `${url}2`])
  expect(clash).toMatchObject({
    status: 400,
    body: { details: [{ param: 'contexts', msg: 'The contexts conflict: protected term redefinition' }] },
  })
  for (const n of [3, 4]) await newContext(tenant, { '@context': many(600, 'https://a.example/t') }, `${url}${n}`)
  expect(await named([`${url}3`])).toMatchObject({ status: 201 })
  const large = await tenant.operator.post(configurations, { ...body, type: 'Large', contexts: [`${url}3`, `${url}4`] })
  expect(large.body.details[0].msg).toBe('The contexts conflict: together they must not define more than 1000 terms')
})

test('a context that a configuration names cannot be deleted, even with concurrent requests', async () => {
  const tenant = await service.addTenant()
  const id = await newContext(tenant)
  const configurationId = await webConfiguration(tenant, { contexts: [url] })
  expect(await tenant.operator.delete(`${contexts}/${id}`)).toMatchObject({
    status: 409,
    body: { message: 'A configuration uses the context. Remove the context from the configuration first.' },
  })
  expect(await tenant.operator.get(`${contexts}/${id}`)).toMatchObject({ status: 200 })
  await tenant.operator.delete(`${configurations}/${configurationId}`)
  expect(await tenant.operator.delete(`${contexts}/${id}`)).toMatchObject({ status: 204 })

  const body = { name: 'Course', issuer: { name: 'University' }, claimMappings: {}, contexts: [url] }
  for (let round = 0; round < 10; round++) {
    const again = await newContext(tenant)
    const [saved, deleted] = await Promise.all([
      tenant.operator.post(configurations, { ...body, type: `Course${round}` }),
      tenant.operator.delete(`${contexts}/${again}`),
    ])
    expect([
      [201, 409],
      [400, 204],
    ]).toContainEqual([saved.status, deleted.status])
    if (saved.status === 201) {
      await tenant.operator.delete(`${configurations}/${saved.body.id}`)
      await tenant.operator.delete(`${contexts}/${again}`)
    }
  }
})
