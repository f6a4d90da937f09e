import { sign as signBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
// @ts-expect-error ships no types
import { Ed25519Signature2018 } from '@digitalbazaar/ed25519-signature-2018'
// @ts-expect-error ships no types
import jsigs from 'jsonld-signatures'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createVerifiers, verifiers } from '../../../api/credentials/verify/verifiers.ts'
import { credentialsContext, revocationListContext } from '../../../shared/formats/json-ld-contexts.ts'
import { loadContext } from '../../../shared/formats/load-context.ts'
import { buildRevocationList2020 } from '../../../shared/formats/revocation-list-2020.ts'
import { bitsOf } from '../../../shared/formats/status-bits.ts'
import { webConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { foreignIssuer, issued } from '../../harness/verifying.ts'
import type { ReceiverAnswer } from '../../servers/receiver.ts'

let service: SharedService
let other: TestTenant
beforeAll(async () => {
  service = await joinService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: tests change any member
type Document = Record<string, any>
type Issuer = Awaited<ReturnType<typeof foreignIssuer>>

async function verify(payload: Document, options: object = {}, tenant: TestTenant = service) {
  const { status, body } = await tenant.operator.post('/v2/credentials/web-semantic/verify', { payload, ...options })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const why = async (payload: Document, options?: object) => (await verify(payload, options)).reason?.type ?? 'verified'

const vocabulary = { '@vocab': 'https://issuer.example/vocab#' }
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString()

function credentialOf({ did }: Issuer, extra: Document = {}): Document {
  return {
    '@context': [credentialsContext, revocationListContext, vocabulary],
    id: 'https://issuer.example/credentials/1',
    type: ['VerifiableCredential', 'CourseCredential'],
    issuer: did,
    issuanceDate: '2026-01-02T03:04:05Z',
    credentialSubject: { id: 'did:example:holder', course: { title: 'Chemistry', points: [1, 2] } },
    ...extra,
  }
}

/** Signs with the library and the issuer's Ed25519 key. */
async function sign(
  issuer: Issuer,
  document: Document,
  { fragment = 'ed', purpose = 'assertionMethod' } = {},
): Promise<Document> {
  const id = `${issuer.did}#${fragment}`
  const signer = { id, sign: async ({ data }: { data: Uint8Array }) => signBytes(null, data, issuer.edKeys.privateKey) }
  return jsigs.sign(structuredClone(document), {
    suite: new Ed25519Signature2018({ signer, verificationMethod: id }),
    purpose: new jsigs.purposes.ControllerProofPurpose({ term: purpose }),
    documentLoader: loadContext,
  })
}

describe('a credential of this service', () => {
  test('from any tenant verifies until it is revoked', async () => {
    for (const tenant of [service, other]) {
      const configuration = await webConfiguration(tenant, { revocable: true, expiresIn: { years: 1 } })
      const { credential, id } = await issued<Document>(service, tenant, configuration)
      expect(await verify(credential)).toEqual({ verified: true })
      await tenant.operator.post(`/v2/credentials/web-semantic/${id}/revocation-status`, { isRevoked: true })
      expect(await verify(credential)).toEqual({
        verified: false,
        reason: { type: 'Revoked', message: expect.any(String) },
      })
      expect(await why(credential, { checkRevocation: false })).toBe('verified')
    }
  })

  test.each<[string, (credential: Document) => void]>([
    ['a claim', (c) => (c.credentialSubject.given_name = 'Eve')],
    ['the holder', (c) => (c.credentialSubject.id = 'did:example:mallory')],
    ['the expiry', (c) => (c.expirationDate = '2099-01-01T00:00:00Z')],
    ['a removed status', (c) => delete c.credentialStatus],
    ['another place in the list', (c) => (c.credentialStatus.revocationListIndex = '5')],
    ['an additional type', (c) => c.type.push('DoctorCredential')],
    ['the time of the proof', (c) => (c.proof.created = '2026-01-02T03:04:05Z')],
    ['the signature', (c) => (c.proof.jws = `${c.proof.jws.slice(0, -6)}AAAAAA`)],
  ])('does not verify after a change of %s', async (_, change) => {
    const configuration = await webConfiguration(service, { revocable: true, expiresIn: { years: 1 } })
    const { credential } = await issued<Document>(service, service, configuration)
    change(credential)
    expect(await why(credential)).toBe('InvalidSignature')
  })
})

describe('a credential of an external issuer', () => {
  test('signed with jsonld-signatures verifies', async () => {
    const issuer = await foreignIssuer()
    const signed = await sign(issuer, credentialOf(issuer))
    expect(await verify(signed)).toEqual({ verified: true })
    expect(
      await verify(await sign(issuer, credentialOf(issuer, { issuer: { id: issuer.did, name: 'School' } }))),
    ).toEqual({ verified: true })
    expect(await why({ ...signed, issuer: other.did })).toBe('UnknownKey')
  })

  test('can have several subjects, and a list of one subject', async () => {
    const issuer = await foreignIssuer()
    const ada = { id: 'did:example:ada', spouse: { id: 'did:example:bob' } }
    const bob = { id: 'did:example:bob', spouse: { id: 'did:example:ada' } }
    for (const credentialSubject of [[ada], [ada, bob], [{ course: 'Chemistry' }, { course: 'Physics' }]]) {
      const signed = await sign(issuer, credentialOf(issuer, { credentialSubject }))
      expect(await verify(signed)).toEqual({ verified: true })
      const [first, ...others] = credentialSubject
      const forged = { ...signed, credentialSubject: [{ ...first, level: 'A' }, ...others] }
      expect(await why(forged)).toBe('InvalidSignature')
    }
  })

  test('needs an assertion key of its issuer', async () => {
    const issuer = await foreignIssuer()
    const another = await foreignIssuer()
    expect(await why(await sign(another, credentialOf(issuer)))).toBe('UnknownKey')
    expect(await why(await sign(issuer, credentialOf(issuer), { fragment: 'auth' }))).toBe('UnknownKey')
    expect(await why(await sign(issuer, credentialOf(issuer), { fragment: 'none' }))).toBe('UnknownKey')
    expect(await why(await sign(issuer, credentialOf(issuer), { purpose: 'authentication' }))).toBe('InvalidProof')
    expect(await why(await sign(issuer, credentialOf(issuer, { issuer: 'https://issuer.example' })))).toBe('UnknownKey')
    const unreachable = await sign(
      { ...issuer, did: 'did:web:nowhere.invalid' },
      credentialOf({ ...issuer, did: 'did:web:nowhere.invalid' }),
    )
    expect(await why(unreachable)).toBe('IssuerUnresolved')
  })

  test('is valid between its times, unless the request skips the check', async () => {
    const issuer = await foreignIssuer()
    const early = await sign(issuer, credentialOf(issuer, { issuanceDate: inDays(1) }))
    const late = await sign(issuer, credentialOf(issuer, { expirationDate: inDays(-1) }))
    expect(await why(early)).toBe('NotYetValid')
    expect(await why(early, { assertValidFrom: false })).toBe('verified')
    expect(await why(late)).toBe('Expired')
    expect(await why(late, { assertValidUntil: false })).toBe('verified')
  })

  test('is checked by its signed statements, even if its text uses other names', async () => {
    const issuer = await foreignIssuer()
    const credentials = 'https://www.w3.org/2018/credentials#'
    const renamed = (name: string, { [name]: _, ...rest }: Document, value: object) => ({
      ...rest,
      [`${credentials}${name}`]: value,
    })
    const expirationDate = inDays(-1)
    const date = { '@value': expirationDate, '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' }
    const late = await sign(issuer, credentialOf(issuer, { expirationDate }))
    expect(await why(renamed('expirationDate', late, date))).toBe('Expired')
    const credentialStatus = { id: 'https://issuer.example/1', type: 'UnknownStatus' }
    const withStatus = await sign(issuer, credentialOf(issuer, { credentialStatus }))
    expect(await why(withStatus)).toBe('StatusUnknown')
    expect(await why(renamed('credentialStatus', withStatus, credentialStatus))).toBe('StatusUnknown')
  })
})

describe('a document', () => {
  const issuerOf = () => foreignIssuer()
  test.each<[string, string, (document: Document) => unknown]>([
    ['has an unknown context', 'UnknownContext', (d) => d['@context'].push('https://unknown.example/context')],
    ['does not begin with credentials/v1', 'MalformedCredential', (d) => d['@context'].unshift(d['@context'].pop())],
    ['has no contexts', 'MalformedCredential', (d) => delete d['@context']],
    ['has no proof', 'MalformedCredential', (d) => delete d.proof],
    ['has two proofs', 'MalformedCredential', (d) => (d.proof = [d.proof, d.proof])],
    ['has another kind of proof', 'MalformedCredential', (d) => (d.proof.type = 'Ed25519Signature2020')],
    ['is not a credential', 'MalformedCredential', (d) => (d.type = ['CourseCredential'])],
    ['has no issuer', 'MalformedCredential', (d) => delete d.issuer],
    ['has two issuers', 'MalformedCredential', (d) => (d.issuer = [d.issuer, 'did:example:other'])],
    ['has no date of issuance', 'MalformedCredential', (d) => delete d.issuanceDate],
    ['has an invalid date', 'MalformedCredential', (d) => (d.issuanceDate = 'yesterday')],
    [
      'holds another credential',
      'MalformedCredential',
      ({ '@context': _, proof, ...d }) => (d.credentialSubject.knows = { ...structuredClone(d), id: 'urn:example:2' }),
    ],
    ['has an undefined term', 'MalformedCredential', (d) => d['@context'].pop()],
  ])('that %s is refused with the reason', async (_, type, change) => {
    const issuer = await issuerOf()
    const signed = await sign(issuer, credentialOf(issuer))
    change(signed)
    expect(await why(signed)).toBe(type)
  })

  test('with an unknown context is refused with the name of the context', async () => {
    const issuer = await foreignIssuer()
    const signed = await sign(issuer, credentialOf(issuer))
    signed['@context'].push('https://unknown.example/context')
    expect((await verify(signed)).reason.message).toContain('https://unknown.example/context')
  })

  test('with too many values or an expensive graph is refused', async () => {
    const issuer = await foreignIssuer()
    const signed = await sign(issuer, credentialOf(issuer))
    const nodes = Array.from({ length: 14 }, (_, at) => `_:n${at}`)
    // Each node knows each other node. Only trial can tell them apart.
    const hard = nodes.map((id) => ({ id, knows: nodes.filter((each) => each !== id).map((each) => ({ id: each })) }))
    expect(await why({ ...signed, credentialSubject: { knows: hard } })).toBe('MalformedCredential')
    const many = Array.from({ length: 5_000 }, (_, at) => at)
    expect((await verify({ ...signed, credentialSubject: { many } })).reason.message).toContain('too many values')
  })

  test('that a busy service cannot read receives 503 instead of a verdict', async () => {
    const issuer = await foreignIssuer()
    // A large document needs CPU time for long before it is read completely.
    const many = Array.from({ length: 2_000 }, (_, at) => at)
    const payload = { ...(await sign(issuer, credentialOf(issuer))), credentialSubject: { many } }
    const threads = service.deps.services.of(verifiers)
    const original = { ...threads }
    onTestFinished(() => void Object.assign(threads, original))
    for (const limits of [
      { cpuMs: 60_000, withinMs: 1 },
      { cpuMs: 0, withinMs: 60_000 },
    ]) {
      Object.assign(threads, createVerifiers(limits))
      const answer = await service.operator.post('/v2/credentials/web-semantic/verify', { payload })
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    }
  })

  test('that is not an object is a bad request', async () => {
    const path = '/v2/credentials/web-semantic/verify'
    for (const body of [{}, { payload: 'text' }, { payload: [] }]) {
      expect(await service.operator.post(path, body)).toMatchObject({
        status: 400,
        body: { details: [{ param: 'payload' }] },
      })
    }
    expect(await verify({})).toMatchObject({ verified: false, reason: { type: 'MalformedCredential' } })
  })
})

describe('an external revocation list', () => {
  const place = (issuer: Issuer, extra: Document = {}) => ({
    id: `${issuer.origin}/lists/1#7`,
    type: 'RevocationList2020Status',
    revocationListIndex: '7',
    revocationListCredential: `${issuer.origin}/lists/1`,
    ...extra,
  })
  const list = (issuer: Issuer, { revoked = [] as number[], ...extra }: Document = {}) => {
    const compressedBits = gzipSync(bitsOf(revoked, 1_000))
    const built = {
      url: `${issuer.origin}/lists/1`,
      issuer: issuer.did,
      issuedAt: new Date(Date.now() - 1000),
      compressedBits,
    }
    return { ...buildRevocationList2020(built), ...extra }
  }

  async function verifyWithList(make: (issuer: Issuer) => Promise<Document> | Document, status: Document = {}) {
    let answer: ReceiverAnswer = { status: 404 }
    const issuer = await foreignIssuer(({ path }) => (path === '/lists/1' ? answer : undefined))
    answer = { body: JSON.stringify(await make(issuer)) }
    return why(await sign(issuer, credentialOf(issuer, { credentialStatus: place(issuer, status) })))
  }

  test('decides whether the credential is revoked', async () => {
    expect(await verifyWithList((issuer) => sign(issuer, list(issuer, { revoked: [6, 8] })))).toBe('verified')
    expect(await verifyWithList((issuer) => sign(issuer, list(issuer, { revoked: [7] })))).toBe('Revoked')
  })

  test.each<[string, (issuer: Issuer) => Promise<Document> | Document, Document?]>([
    ['is not a list', () => ['hello']],
    ['is not signed', (issuer) => list(issuer)],
    [
      'was changed',
      async (issuer) => ({ ...(await sign(issuer, list(issuer))), issuanceDate: '2026-01-01T00:00:00Z' }),
    ],
    ['has another id', (issuer) => sign(issuer, list(issuer, { id: `${issuer.origin}/lists/2` }))],
    [
      'is of another issuer',
      async (issuer) => {
        const another = await foreignIssuer()
        return sign(another, list({ ...issuer, did: another.did }))
      },
    ],
    [
      'is not a list of revocations',
      (issuer) => sign(issuer, credentialOf(issuer, { id: `${issuer.origin}/lists/1` })),
    ],
    ['has no such entry', (issuer) => sign(issuer, list(issuer)), { revocationListIndex: '1000' }],
    ['has a negative index', (issuer) => sign(issuer, list(issuer)), { revocationListIndex: '-7' }],
  ])('that %s leaves the status unknown, and the credential is not verified', async (_, make, status) => {
    expect(await verifyWithList(make, status)).toBe('StatusUnknown')
  })

  test('is not requested for a status of another type', async () => {
    const issuer: Issuer = await foreignIssuer(() => answer)
    const answer = { body: JSON.stringify(await sign(issuer, list(issuer))) }
    const term = (name: string) => `https://w3id.org/vc-revocation-list-2020#${name}`
    const credentialStatus = {
      id: 'https://issuer.example/1',
      type: 'UnknownStatus',
      [term('revocationListIndex')]: '7',
      [term('revocationListCredential')]: { '@id': `${issuer.origin}/lists/1` },
    }
    expect(await why(await sign(issuer, credentialOf(issuer, { credentialStatus })))).toBe('StatusUnknown')
  })
})

test('a credential of another implementation with an unknown context is refused', async () => {
  // A test document of github.com/openwallet-foundation/credo-ts (linked-data-proofs, TEST_LD_DOCUMENT_SIGNED).
  const issuer = 'did:key:z6Mkgg342Ycpuk263R9d8Aq6MUaxPn1DDeHyGo38EefXmgDL'
  const document = {
    '@context': [credentialsContext, 'https://www.w3.org/2018/credentials/examples/v1'],
    type: ['VerifiableCredential', 'UniversityDegreeCredential'],
    issuer,
    issuanceDate: '2017-10-22T12:23:48Z',
    credentialSubject: { degree: { type: 'BachelorDegree', name: 'Bachelor of Science and Arts' } },
    proof: {
      verificationMethod: `${issuer}#z6Mkgg342Ycpuk263R9d8Aq6MUaxPn1DDeHyGo38EefXmgDL`,
      type: 'Ed25519Signature2018',
      created: '2022-04-18T23:13:10Z',
      proofPurpose: 'assertionMethod',
      jws: 'eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..ECQsj_lABelr1jkehSkqaYpc5CBvbSjbi3ZvgiVVKxZFDYfj5xZmeXb_awa4aw_cGEVaoypeN2uCFmeG6WKkBw',
    },
  }
  expect(await why(document)).toBe('UnknownContext')
})
