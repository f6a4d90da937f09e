import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
// @ts-expect-error ships no types
import { Ed25519Signature2018 } from '@digitalbazaar/ed25519-signature-2018'
// @ts-expect-error ships no types
import jsigs from 'jsonld-signatures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { didKeyOf, resolveDidKey } from '../../../shared/formats/did-key.ts'
import { credentialsContext } from '../../../shared/formats/json-ld-contexts.ts'
import { publicJwk } from '../../../shared/formats/jwk.ts'
import { loadContext } from '../../../shared/formats/load-context.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { foreignIssuer } from '../../harness/verifying.ts'

let service: SharedService
beforeAll(async () => {
  service = await joinService()
})
afterAll(() => service[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: tests change any member
type Document = Record<string, any>

const expectation = { challenge: 'c-1', domain: 'shop.example' }

function newHolder() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const did = didKeyOf(publicJwk(publicKey))
  return { did, keyId: resolveDidKey(did).keyId, privateKey }
}
type Holder = ReturnType<typeof newHolder>

const ownUrl = 'https://terms.example/student/v1'
const ownContext = { '@context': { '@version': 1.1, level: 'https://terms.example/level' } }

async function credentialFor(subject: object, extra: object = {}): Promise<Document> {
  const payload = { '@context': [credentialsContext], type: ['StudentCard'], issuer: { id: service.did }, ...extra }
  const { status, body } = await service.operator.post('/v2/credentials/web-semantic/sign', {
    payload: { ...payload, credentialSubject: subject },
    revocable: true,
  })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Signs a presentation with the library and the holder's key. */
async function present(
  { keyId, privateKey }: Holder,
  presentation: Document,
  { challenge, domain, purpose = 'authentication' }: typeof expectation & { purpose?: string } = expectation,
): Promise<Document> {
  const signer = { id: keyId, sign: async ({ data }: { data: Uint8Array }) => signBytes(null, data, privateKey) }
  const proving =
    purpose === 'authentication'
      ? new jsigs.purposes.AuthenticationProofPurpose({ challenge, domain })
      : new jsigs.purposes.ControllerProofPurpose({ term: purpose })
  return jsigs.sign(
    { '@context': [credentialsContext], type: ['VerifiablePresentation'], ...structuredClone(presentation) },
    {
      suite: new Ed25519Signature2018({ signer, verificationMethod: keyId }),
      purpose: proving,
      documentLoader: (url: string) =>
        url === ownUrl ? { documentUrl: url, document: structuredClone(ownContext) } : loadContext(url),
    },
  )
}

async function verify(presentation: Document, expected: object = expectation) {
  const body = { presentation, ...expectation, ...expected }
  const answer = await service.operator.post('/v2/credentials/web-semantic/presentations/verify', body)
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const why = async (presentation: Document, expected?: object) => {
  const { reason } = await verify(presentation, expected)
  return reason && [reason.type, reason.credential].filter((each) => each !== undefined).join(' ')
}

test("a presentation of the holder's credentials verifies until one of them is revoked", async () => {
  const holder = newHolder()
  const [card, other] = [await credentialFor({ id: holder.did }), await credentialFor({ id: holder.did, level: 'B' })]
  const verifiableCredential = [card.credential, other.credential]
  const presentation = await present(holder, { holder: holder.did, verifiableCredential })
  expect(await verify(presentation)).toEqual({ verified: true })
  expect(await verify({ ...presentation, proof: [presentation.proof] })).toEqual({ verified: true })
  const path = `/v2/credentials/web-semantic/${other.id}/revocation-status`
  await service.operator.post(path, { isRevoked: true })
  expect(await why(presentation)).toBe('Revoked 1')
})

test("credentials in a presentation are read with the tenant's own contexts", async () => {
  const { body: made } = await service.operator.post('/v2/credentials/web-semantic/contexts', {
    url: ownUrl,
    document: ownContext,
  })
  const holder = newHolder()
  const named = { '@context': [credentialsContext, ownUrl] }
  const { credential } = await credentialFor({ id: holder.did, level: 'B' }, named)
  const presentation = await present(holder, { holder: holder.did, verifiableCredential: [credential] })
  expect(await verify(presentation)).toEqual({ verified: true })
  await service.operator.delete(`/v2/credentials/web-semantic/contexts/${made.id}`)
  expect(await why(presentation)).toMatch(/^UnknownContext/)
})

test('a presentation without a credential proves who the holder is', async () => {
  const holder = newHolder()
  expect(await verify(await present(holder, { holder: holder.did }))).toEqual({ verified: true })
  expect(await verify(await present(holder, {}))).toEqual({ verified: true })
})

test('a presentation is valid only for its challenge, its domain and its purpose', async () => {
  const holder = newHolder()
  const presentation = await present(holder, { holder: holder.did })
  expect(await why(presentation, { challenge: 'c-2' })).toBe('WrongChallenge')
  expect(await why(presentation, { domain: 'evil.example' })).toBe('WrongDomain')
  const { challenge: _, ...unchallenged } = presentation.proof
  expect(await why({ ...presentation, proof: unchallenged })).toBe('WrongChallenge')
  expect(await why({ ...presentation, proof: { ...presentation.proof, challenge: 'c-2' } }, { challenge: 'c-2' })).toBe(
    'InvalidSignature',
  )
  expect(
    await why(
      { ...presentation, proof: { ...presentation.proof, domain: 'evil.example' } },
      { domain: 'evil.example' },
    ),
  ).toBe('InvalidSignature')
  expect(await why(await present(holder, {}, { ...expectation, purpose: 'assertionMethod' }))).toBe('InvalidProof')
})

test('a presentation must be signed by its holder, and its credentials must be issued to that holder', async () => {
  const [holder, thief] = [newHolder(), newHolder()]
  const { credential } = await credentialFor({ id: holder.did })
  expect(await why(await present(thief, { verifiableCredential: [credential] }))).toBe('NotOfHolder 0')
  expect(await why(await present(thief, { holder: holder.did, verifiableCredential: [credential] }))).toBe(
    'WrongHolder',
  )
  const presentation = await present(holder, { holder: holder.did, verifiableCredential: [credential] })
  const stolen = { ...presentation, proof: { ...presentation.proof, verificationMethod: thief.keyId } }
  expect(await why(stolen)).toBe('WrongHolder')
  const { credential: unbound } = await credentialFor({ level: 'B' })
  expect(await why(await present(holder, { verifiableCredential: unbound }))).toBe('NotOfHolder 0')
})

test('each of several subjects can present their credential', async () => {
  const [ada, bob, thief] = [newHolder(), newHolder(), newHolder()]
  const issuer = await foreignIssuer()
  const content = {
    ...{ type: ['VerifiableCredential'], issuer: issuer.did, issuanceDate: '2026-01-02T03:04:05Z' },
    credentialSubject: [{ id: ada.did }, { id: bob.did }],
  }
  const issuing = { did: issuer.did, keyId: `${issuer.did}#ed`, privateKey: issuer.edKeys.privateKey }
  const credential = await present(issuing, content, { ...expectation, purpose: 'assertionMethod' })
  for (const holder of [ada, bob])
    expect(await verify(await present(holder, { verifiableCredential: [credential] }))).toEqual({ verified: true })
  expect(await why(await present(thief, { verifiableCredential: [credential] }))).toBe('NotOfHolder 0')
})

test('a presentation cannot redefine the terms of presentations', async () => {
  const [holder, another] = [newHolder(), newHolder()]
  const { credential } = await credentialFor({ id: holder.did })
  const disguised = {
    '@context': [credentialsContext, { '@vocab': 'https://elsewhere.example/#' }],
    type: ['https://www.w3.org/2018/credentials#VerifiablePresentation'],
    holder: another.did,
  }
  expect(await why(await present(holder, disguised))).toBe('MalformedPresentation')
  const holderAs = (name: string) => ({
    '@context': [credentialsContext, { [name]: 'https://w3.example/2018/holder' }],
  })
  expect(await why(await present(holder, { ...holderAs('keeper'), keeper: 'Ada' }))).toBe('MalformedPresentation')
  const presentation = await present(holder, { holder: holder.did, verifiableCredential: [credential] })
  expect(await why({ ...presentation, '@index': 'a note' })).toBe('MalformedPresentation')
})

test('the service detects any change after signing', async () => {
  const holder = newHolder()
  const { credential } = await credentialFor({ id: holder.did })
  const { credential: other } = await credentialFor({ id: holder.did, level: 'B' })
  const presentation = await present(holder, { holder: holder.did, verifiableCredential: [credential] })
  for (const verifiableCredential of [[], [other], [credential, other], undefined]) {
    expect(await why({ ...presentation, verifiableCredential })).toBe('InvalidSignature')
  }
  const forged = { ...credential, credentialSubject: { ...credential.credentialSubject, level: 'A' } }
  expect(await why(await present(holder, { verifiableCredential: [forged] }))).toBe('InvalidSignature 0')
  const expired = await credentialFor(
    { id: holder.did },
    { issuanceDate: '2020-01-01T00:00:00Z', expirationDate: '2021-01-01T00:00:00Z' },
  )
  expect(await why(await present(holder, { verifiableCredential: [credential, expired.credential] }))).toBe('Expired 1')
})

test('an invalid or too large presentation is reported as malformed', async () => {
  const holder = newHolder()
  const { credential } = await credentialFor({ id: holder.did })
  const presentation = await present(holder, { holder: holder.did })
  expect(await why(credential)).toBe('MalformedPresentation')
  expect(await why({})).toBe('MalformedPresentation')
  expect(await why({ ...presentation, proof: [presentation.proof, presentation.proof] })).toBe('MalformedPresentation')
  expect(await why(await present(holder, { verifiableCredential: Array(21).fill(credential) }))).toBe(
    'MalformedPresentation',
  )
  expect(await why({ ...presentation, '@context': [credentialsContext, 'https://elsewhere.example/context'] })).toBe(
    'UnknownContext',
  )
  const without = await service.operator.post('/v2/credentials/web-semantic/presentations/verify', { presentation })
  expect(without).toMatchObject({ status: 400, body: { details: [{ param: 'challenge' }, { param: 'domain' }] } })
})
