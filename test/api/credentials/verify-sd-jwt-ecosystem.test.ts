import { afterAll, beforeAll, expect, test } from 'vitest'
import { newIaca } from '../../certificates/hierarchy.ts'
import { newOpensslAuthority } from '../../certificates/openssl-authority.ts'
import { sdJwtConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { issueSdJwt } from '../../harness/issued-sd-jwt.ts'
import { newEcosystem, newParticipant, newType } from '../ecosystems/factories.ts'

let service: SharedService
/** Verifies with its ecosystems. */
let verifier: TestTenant
let credential: string
let certificatePem: string
beforeAll(async () => {
  service = await joinService()
  const issuer = await service.addTenant()
  certificatePem = (await newIaca(issuer)).certificatePem
  const [issued] = await issueSdJwt(service, issuer, await sdJwtConfiguration(issuer, { includeStatus: true }))
  credential = issued!.credential
  verifier = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const vct = 'urn:example:student-card'

interface Wanted {
  participant?: object
  /** The type in the ecosystem that is assigned to the participant. */
  type?: object
  docTypes?: string[]
  active?: boolean
  pem?: string
}

/** Makes an ecosystem with one issuer. Returns its path. */
async function ecosystemWith({ participant = {}, type = {}, docTypes, active = true, pem = certificatePem }: Wanted) {
  const path = await newEcosystem(verifier)
  const credentialId = await newType(verifier, path, { profile: 'sd-jwt', type: vct, ...type })
  const member = await newParticipant(verifier, path, { isIssuer: true, ...participant })
  await verifier.operator.post(`${member}/issuer/credentials`, { credentialId })
  const certificate = { certificatePem: pem, active, ...(docTypes && { docTypes }) }
  const { status, body } = await verifier.operator.post(`${member}/issuer-certificates`, certificate)
  expect(status, JSON.stringify(body)).toBe(201)
  return path
}

const idOf = (path: string) => path.split('/').at(-1) ?? ''

async function verifyIn(path: string, by = verifier) {
  const body = { payload: credential, trustedIssuers: { ecosystemId: idOf(path) } }
  return by.operator.post('/v2/credentials/sd-jwt/verify', body)
}
const failuresIn = async (path: string) =>
  (await verifyIn(path)).body.failures.map(({ check }: { check: string }) => check)

test('the certificates of the issuers of an ecosystem are trusted roots, also for the status list', async () => {
  expect(await verifyIn(await ecosystemWith({}))).toMatchObject({ status: 200, body: { verified: true, failures: [] } })
  expect(await failuresIn(await ecosystemWith({ docTypes: [vct] }))).toEqual([])
})

test('an issuer of all types needs no assignment', async () => {
  const path = await newEcosystem(verifier)
  await newType(verifier, path, { profile: 'sd-jwt', type: vct })
  const member = await newParticipant(verifier, path, { isIssuer: true, isIssuerConstrained: false })
  await verifier.operator.post(`${member}/issuer-certificates`, { certificatePem })
  expect(await failuresIn(path)).toEqual([])
})

const refused: [string, () => Promise<Wanted>][] = [
  ['a participant that is no issuer', async () => ({ participant: { isIssuer: false, isVerifier: true } })],
  ['an inactive participant', async () => ({ participant: { status: 'Inactive' } })],
  ['an inactive certificate', async () => ({ active: false })],
  ['a certificate for another type', async () => ({ docTypes: ['urn:example:other'] })],
  ['an issuer of another type', async () => ({ type: { type: 'urn:example:other' } })],
  ['an issuer of another profile', async () => ({ type: { profile: 'mobile' } })],
  ['another certificate', async () => ({ pem: (await newOpensslAuthority()).pem })],
]

test.each(refused)('%s is not trusted', async (_what, wanted) => {
  expect(await failuresIn(await ecosystemWith(await wanted()))).toEqual(['CertificateChain'])
})

test('an issuer of another ecosystem is not trusted, and the ecosystem of another tenant is unknown', async () => {
  const path = await ecosystemWith({})
  expect(await failuresIn(await newEcosystem(verifier))).toEqual(['CertificateChain'])
  const unknown = { status: 400, body: { details: [{ param: 'trustedIssuers.ecosystemId' }] } }
  expect(await verifyIn(path, await service.addTenant())).toMatchObject(unknown)
})

test('the ecosystem states whom it trusts with the type', async () => {
  await ecosystemWith({})
  const validate = async (type: string) => {
    const question = { profile: 'sd-jwt', type, identifier: certificatePem }
    return (await verifier.operator.post('/v1/ecosystems/issuer-validation', question)).body.validated
  }
  expect([await validate(vct), await validate('urn:example:unknown')]).toEqual([true, false])
})
