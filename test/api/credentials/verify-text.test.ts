import { randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonToCbor } from '../../../shared/formats/cbor-json.ts'
import { buildCompactCwt, cwtPrefix, encodeCwtCredential } from '../../../shared/formats/cwt.ts'
import { signedContent, signJsonLd } from '../../../shared/formats/json-ld.ts'
import { credentialsContext, revocationListContext } from '../../../shared/formats/json-ld-contexts.ts'
import { signCwt } from '../../../workers/signing/formats/sign-cwt.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { testSigner } from '../../harness/test-signer.ts'
import { foreignIssuer } from '../../harness/verifying.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: tests change any member
type Document = Record<string, any>

const vocab = 'https://school.example/terms#'
const credentials = 'https://www.w3.org/2018/credentials#'

type Issuer = Awaited<ReturnType<typeof foreignIssuer>>

async function signed(change: (document: Document, did: string) => Document = (document) => document, issuer?: Issuer) {
  const { did, edKeys } = issuer ?? (await foreignIssuer())
  const document = {
    '@context': [credentialsContext, { '@vocab': vocab, name: 'https://schema.org/name' }],
    id: `https://school.example/diplomas/${randomUUID()}`,
    type: ['VerifiableCredential', `${vocab}Diploma`],
    issuer: did,
    issuanceDate: '2026-01-02T03:04:05Z',
    credentialSubject: { id: 'https://school.example/students/ada', degree: 'none', not_hobby: 'PhD', name: 'Ada' },
  }
  const signer = { verificationMethod: `${did}#ed`, key: testSigner(edKeys), created: new Date() }
  return (await signJsonLd(change(document, did) as typeof document, signer)) as Document
}

async function verify(payload: Document) {
  const { status, body } = await service.operator.post('/v2/credentials/web-semantic/verify', { payload })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

const withContext = (document: Document, context: object) => ({
  ...document,
  '@context': [...document['@context'], context],
})
const withSubject = (document: Document, subject: object) => ({
  ...document,
  credentialSubject: { ...document.credentialSubject, ...subject },
})

test('terms of a context with their own name are read', async () => {
  expect(await verify(await signed())).toEqual({ verified: true })
})

test.each([
  ['has no b64', { alg: 'EdDSA' }],
  ['declares an encoded payload', { alg: 'EdDSA', b64: true, crit: ['b64'] }],
  ['does not mark b64 as critical', { alg: 'EdDSA', b64: false }],
  ['has another algorithm', { alg: 'ES256', b64: false, crit: ['b64'] }],
  ['has an unknown member', { alg: 'EdDSA', b64: false, crit: ['b64'], exp: 1 }],
])('a proof whose JWS header %s does not verify', async (_, header) => {
  const issuer = await foreignIssuer()
  const { proof, ...document } = await signed(undefined, issuer)
  const { data } = await signedContent({ ...document, '@context': document['@context'], proof })
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url')
  const signature = sign(null, Buffer.concat([Buffer.from(`${encoded}.`), data]), issuer.edKeys.privateKey)
  const jws = `${encoded}..${signature.toString('base64url')}`
  expect(await verify({ ...document, proof: { ...proof, jws } })).toMatchObject({
    verified: false,
    reason: { type: 'InvalidSignature' },
  })
})

// Each change keeps the signed statements and therefore the signature, but changes the text.
test.each<[string, (document: Document) => Document]>([
  [
    'swaps two terms',
    (document) =>
      withSubject(withContext(document, { degree: `${vocab}not_hobby`, not_hobby: `${vocab}degree` }), {
        degree: 'PhD',
        not_hobby: 'none',
      }),
  ],
  [
    'swaps two terms in a nested context',
    (document) =>
      withSubject(document, {
        '@context': { degree: `${vocab}not_hobby`, not_hobby: `${vocab}degree` },
        degree: 'PhD',
        not_hobby: 'none',
      }),
  ],
  [
    'moves half of a term into its vocabulary',
    (document) => {
      const { not_hobby, ...subject } = document.credentialSubject
      const credentialSubject = { ...subject, [`${vocab}degree`]: 'none', degree: undefined, hobby: not_hobby }
      const [first, inline] = document['@context']
      return { ...document, '@context': [first, { ...inline, '@vocab': `${vocab}not_` }], credentialSubject }
    },
  ],
  [
    'moves half of an identifier into a prefix',
    (document) =>
      withSubject(withContext(document, { urn: 'https://school.example/students/' }), {
        id: 'urn:ada',
      }),
  ],
  ['adds an empty list that no proof covers', (document) => withSubject(document, { honours: [] })],
  ['adds a null that no proof covers', (document) => withSubject(document, { convictions: null })],
  [
    'adds an index that no proof covers',
    (document) => withSubject(document, { name: { '@value': 'Ada', '@index': 'PhD' } }),
  ],
  [
    'hides text in a container',
    (document) =>
      withSubject(withContext(document, { name: { '@id': 'https://schema.org/name', '@container': '@index' } }), {
        name: { 'Dr Eve': 'Ada' },
      }),
  ],
])('a text that %s is not verified', async (_, change) => {
  expect(await verify(change(await signed()))).toMatchObject({
    verified: false,
    reason: { type: 'MalformedCredential' },
  })
})

test('a credential must use the term that fixes the meaning of the others', async () => {
  const disguised = await signed(({ type, issuer, issuanceDate, credentialSubject, ...rest }, did) => ({
    ...rest,
    type: [`${credentials}VerifiableCredential`, 'Diploma'],
    issuer: 'did:web:government.example',
    issuanceDate: '2020-01-01T00:00:00Z',
    [`${credentials}issuer`]: { id: did },
    [`${credentials}issuanceDate`]: { '@value': issuanceDate, '@type': 'http://www.w3.org/2001/XMLSchema#dateTime' },
    [`${credentials}credentialSubject`]: credentialSubject,
  }))
  expect(await verify(disguised)).toMatchObject({ verified: false, reason: { type: 'MalformedCredential' } })
})

test('an external list that is nested too deeply leaves the status unknown', async () => {
  const proof = {
    type: 'Ed25519Signature2018',
    jws: '',
    proofPurpose: 'assertionMethod',
    verificationMethod: 'did:web:x#y',
  }
  const outline = JSON.stringify({ '@context': [credentialsContext], type: 'VerifiableCredential', proof })
  const body = outline.replace(/}$/, `,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)
  const issuer = await foreignIssuer(({ path }) => (path === '/list' ? { body } : undefined))
  const url = `${issuer.origin}/list`
  const credentialStatus = { id: `${url}#1`, type: 'RevocationList2020Status', revocationListIndex: '1' }
  const credential = await signed(
    (document) => ({
      ...document,
      '@context': [...document['@context'], revocationListContext],
      credentialStatus: { ...credentialStatus, revocationListCredential: url },
    }),
    issuer,
  )
  expect(await verify(credential)).toMatchObject({ verified: false, reason: { type: 'StatusUnknown' } })
})

test.each<[string, unknown]>([
  ['exp', 4_000_000_000],
  ['nbf', 'soon'],
  ['status', { index: 1 }],
  ['cnf', {}],
  ['sub', 'did:example:eve'],
  ['iss', 'did:web:government.example'],
  ['vc', {}],
])('a compact credential with a claim named %s is malformed', async (name, value) => {
  const payload = encodeCwtCredential(cwtPrefix.compact, await cwtWith(name, value))
  const { status, body } = await service.operator.post('/v2/credentials/compact/verify', { payload })
  expect([status, body]).toEqual([200, { verified: false, error: expect.objectContaining(malformed) }])
})

test('a compact semantic credential with an invalid vc is malformed', async () => {
  const payload = encodeCwtCredential(cwtPrefix['compact-semantic'], await cwtWith('vc', 'a text'))
  const { status, body } = await service.operator.post('/v2/credentials/compact-semantic/verify', { payload })
  expect([status, body]).toMatchObject([200, { verified: false, reason: [malformed], decoded: { vc: 'a text' } }])
})

const malformed = { type: 'MalformedCredential' }

async function cwtWith(name: string, value: unknown): Promise<Buffer> {
  const { did, keys } = await foreignIssuer()
  return signCwt(testSigner(keys), (alg) => {
    const frame = { issuer: did, kid: 'k1', alg, issuedAt: new Date(), credentialId: randomUUID() }
    const unsigned = buildCompactCwt({ ...frame, claims: {} })
    unsigned.claims.set(name, jsonToCbor(value))
    return unsigned
  })
}
