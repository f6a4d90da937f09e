import { id_ce_keyDescription, SecurityLevel } from '@peculiar/asn1-android'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holderInstances } from '../../../db/tables/issuance/holder-instances.ts'
import { googleAttestationRoots } from '../../../shared/formats/android-roots.ts'
import { certificateFromPem } from '../../../shared/formats/certificate.ts'
import { faultOfAnchor } from '../../../shared/formats/x509-chain.ts'
import { base64Of, extension, newCertificate } from '../../certificates/certificates.ts'
import type { ApiResponse } from '../../harness/api-client.ts'
import { type Service, startService, type TestTenant } from '../../harness/harness.ts'
import {
  type AndroidDevice,
  type AttestedChanges,
  type AttestedKey,
  androidApplication,
  attestKey,
  descriptionOf,
  newAndroidDevice,
} from '../../wallets/android-device.ts'
import { newHolderKey } from '../../wallets/wallet.ts'

let service: Service
let device: AndroidDevice
let applicationId: string
beforeAll(async () => {
  service = await startService()
  device = await newAndroidDevice()
  applicationId = await create(androidApplication([device.rootPem]))
})
afterAll(() => service?.[Symbol.asyncDispose]())

const path = '/v1/holder/applications'
const create = async (body: object, tenant: TestTenant = service): Promise<string> =>
  (await tenant.operator.post(path, body)).body.id
const newChallenge = async (id = applicationId, tenant: TestTenant = service): Promise<string> =>
  (await tenant.anonymous.post(`${path}/${id}/challenges`)).body.challenge
const register = (body: object, id = applicationId, tenant: TestTenant = service): Promise<ApiResponse> =>
  tenant.anonymous.post(`${path}/${id}/instances`, body)
const bodyOf = (challenge: string, { publicKeyJwk, keyAttestation }: AttestedKey) => ({
  ...{ challenge, publicKeyJwk, keyAttestation },
})
const count = () => service.deps.db.read.$count(holderInstances)

/** Registers a key with an attestation that has the given changes. */
async function attested(changes: AttestedChanges = {}, id = applicationId): Promise<ApiResponse> {
  const challenge = await newChallenge(id)
  return register(bodyOf(challenge, await attestKey(device, challenge, changes)), id)
}

async function expectRefusal(answer: ApiResponse, param: string, reason: RegExp, before: number): Promise<void> {
  expect(answer).toMatchObject({ status: 400, body: { code: 'BadRequest', message: 'Validation Error' } })
  expect(answer.body.details).toMatchObject([{ param, location: 'body' }])
  expect(answer.body.details[0].msg).toMatch(reason)
  expect(await count()).toBe(before)
}

test('an instance registers a key with its attestation, and the operator can read the instance', async () => {
  const response = await service.anonymous.post(`${path}/${applicationId}/challenges`)
  const { challenge, expiresAt } = response.body
  expect([response.status, Object.keys(response.body)]).toEqual([201, ['challenge', 'expiresAt']])
  expect(Math.abs(Date.parse(expiresAt) - service.clock.now().getTime() - 300_000)).toBeLessThan(10_000)
  // The attestation challenge of an Android key has at most 128 bytes.
  expect(challenge).toMatch(/^[\w-]{40,128}$/)

  const key = await attestKey(device, challenge)
  const details = { deviceDetails: { model: 'Pixel 9', os: { version: 16 } }, sdkDetails: { version: '1.2.3' } }
  const { status, body } = await register({ ...bodyOf(challenge, key), ...details })
  expect(status).toBe(201)
  const registered = {
    id: expect.any(String),
    appAttestationType: 'android-key-attestation',
    registeredAt: expect.any(String),
    lastAttestedAt: body.registeredAt,
  }
  expect(body).toStrictEqual(registered)
  const { body: seen } = await service.operator.get(`${path}/${applicationId}/instances/${body.id}`)
  expect(seen).toStrictEqual({ ...body, publicKeyJwk: key.publicKeyJwk, ...details })
})

const accepted: Record<string, AttestedChanges> = {
  'a key in a StrongBox': { levels: [SecurityLevel.strongBox, SecurityLevel.strongBox] },
  'an app that shares its user id with another app': { packageNames: ['com.example.other', 'com.example.wallet'] },
  'an app with two known signing certificates': { signingCertificates: ['00'.repeat(32), 'c1'.repeat(32)] },
  'a P-384 key': { leaf: { kind: 'P-384' } },
}

test.each(Object.keys(accepted))('the registration of %s is accepted', async (name) => {
  expect(await attested(accepted[name])).toMatchObject({ status: 201 })
})

test('an attestation can contain the bytes of the challenge instead of its text', async () => {
  const challenge = await newChallenge()
  const key = await attestKey(device, Buffer.from(challenge, 'base64url'))
  expect(await register(bodyOf(challenge, key))).toMatchObject({ status: 201 })
})

test('an expired certificate with the name and key of a trusted root is accepted; one with another key is refused', async () => {
  const { root } = device
  const expired = { notBefore: new Date('2016-01-01'), notAfter: new Date('2026-01-01') }
  const name = root.certificate.subject.replace('CN=', '')
  const older = await newCertificate({ name, ca: true, kind: root.kind, keys: root.keys, ...expired })
  const impostor = await newCertificate({ name, ca: true, kind: root.kind, ...expired })
  const challenge = await newChallenge()
  const key = await attestKey(device, challenge)
  const under = (last: typeof older) => ({ ...key, keyAttestation: key.keyAttestation.with(-1, base64Of(last)) })
  await expectRefusal(
    await register(bodyOf(challenge, under(impostor))),
    'keyAttestation',
    /not valid now/,
    await count(),
  )
  expect(await register(bodyOf(challenge, under(older)))).toMatchObject({ status: 201 })
})

test('the attestation chain can omit the root certificate', async () => {
  const challenge = await newChallenge()
  const key = await attestKey(device, challenge)
  const keyAttestation = key.keyAttestation.slice(0, -1)
  expect(await register(bodyOf(challenge, { ...key, keyAttestation }))).toMatchObject({ status: 201 })
})

const software = [SecurityLevel.software, SecurityLevel.trustedEnvironment] as [SecurityLevel, SecurityLevel]
const unattested = extension('1.3.6.1.4.1.55555.1', false, [5, 0])

const refused: Record<string, [changes: AttestedChanges, reason: RegExp]> = {
  'a key with an attestation by software': [{ levels: software }, /security level/],
  'a key that is stored by software': [{ levels: software.toReversed() as typeof software }, /security level/],
  'another package': [{ packageNames: ['com.example.wallet2'] }, /package name does not match/],
  'no package': [{ packageNames: [] }, /package name does not match/],
  'an unknown signing certificate': [{ signingCertificates: ['ff'.repeat(32)] }, /thumbprint/],
  'a known and an unknown signing certificate': [
    { signingCertificates: ['c1'.repeat(32), 'ff'.repeat(32)] },
    /thumbprint/,
  ],
  'no signing certificate': [{ signingCertificates: [] }, /thumbprint/],
  'an attestation without an app': [{ withoutApplication: true }, /which app/],
  'a certificate without an attestation': [{ extensions: [unattested] }, /key is not attested/],
  'a malformed attestation': [{ extensions: [extension(id_ce_keyDescription, false, [4, 0])] }, /read/],
  'an expired certificate': [{ leaf: { notAfter: new Date('2020-01-01') } }, /not valid now/],
  'a certificate with the signature of another key': [{ leaf: {} }, /not signed by the next one/],
  'a certificate whose key usage does not allow signatures': [{ leaf: { usage: 4 } }, /does not allow/],
  'a weak key': [{ leaf: { kind: 'RSA-1024' } }, /type or length/],
  'a key without a supported JWK type': [{ leaf: { kind: 'RSA-2048' } }, /known curve/],
}

describe('a registration is refused with the reason, and stores no instance, if it has', () => {
  test.each(Object.keys(refused))('%s', async (name) => {
    const [changes, reason] = refused[name]!
    const before = await count()
    const signer =
      name === 'a certificate with the signature of another key'
        ? await newCertificate({ name: 'TEE', ca: true })
        : undefined
    const leaf = { ...changes.leaf, ...(signer && { signer }) }
    const challenge = await newChallenge()
    const key = await attestKey(device, challenge, { ...changes, leaf })
    const { publicJwk } = await newHolderKey()
    const publicKeyJwk = key.publicKeyJwk.kty === 'EC' ? key.publicKeyJwk : publicJwk
    await expectRefusal(await register({ ...bodyOf(challenge, key), publicKeyJwk }), 'keyAttestation', reason, before)
  })

  test('a chain to an untrusted root; with the default roots of Google, also a chain to a test root', async () => {
    const before = await count()
    const other = await newAndroidDevice()
    const challenge = await newChallenge()
    const answer = await register(bodyOf(challenge, await attestKey(other, challenge)))
    await expectRefusal(answer, 'keyAttestation', /trusted root/, before)
    const id = await create(androidApplication([]))
    await expectRefusal(await attested({}, id), 'keyAttestation', /trusted root/, before)
  })

  test('no chain, an empty chain, an incomplete chain or an invalid certificate', async () => {
    const before = await count()
    const challenge = await newChallenge()
    const key = await attestKey(device, challenge)
    const body = bodyOf(challenge, key)
    const { publicKeyJwk } = key
    await expectRefusal(await register({ challenge, publicKeyJwk }), 'keyAttestation', /Required/, before)
    const chains: [string[], RegExp][] = [
      [[], /Required/],
      [key.keyAttestation.filter((_, at) => at !== 1), /not issued by the next one/],
      [key.keyAttestation.slice(0, 1), /trusted root/],
      [['nothing'], /base64/],
      [Array(10).fill(key.keyAttestation[0]), /1 to 5/],
    ]
    for (const [keyAttestation, reason] of chains) {
      await expectRefusal(await register({ ...body, keyAttestation }), 'keyAttestation', reason, before)
    }
  })

  test('a key that is certified by an attested key', async () => {
    const before = await count()
    const challenge = await newChallenge()
    const extensions = [extension(id_ce_keyDescription, false, descriptionOf(challenge))]
    const [, ...issuers] = device.issuers
    const between = await newCertificate({ name: 'Android Keystore Key', issuer: issuers[0]!, ca: true, extensions })
    const key = await attestKey({ ...device, issuers: [between, ...issuers] }, challenge)
    await expectRefusal(await register(bodyOf(challenge, key)), 'keyAttestation', /attests another/, before)
  })

  test('a public key that is not the attested key, or an invalid public key', async () => {
    const before = await count()
    const challenge = await newChallenge()
    const body = bodyOf(challenge, await attestKey(device, challenge))
    const { publicJwk } = await newHolderKey()
    const other = await register({ ...body, publicKeyJwk: publicJwk })
    await expectRefusal(other, 'keyAttestation', /another key/, before)
    const keys = [{ kty: 'EC', crv: 'P-256', x: 'A', y: 'A' }, { ...body.publicKeyJwk, d: 'A' }, { kty: 'RSA' }]
    for (const publicKeyJwk of keys) {
      await expectRefusal(await register({ ...body, publicKeyJwk }), 'publicKeyJwk', /Not acceptable/, before)
    }
  })
})

describe('a challenge', () => {
  test('works once, also when several requests use it at the same time', async () => {
    const challenge = await newChallenge()
    const keys = await Promise.all([1, 2, 3, 4].map(() => attestKey(device, challenge)))
    const before = await count()
    const answers = await Promise.all(keys.map((key) => register(bodyOf(challenge, key))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
    const again = await register(bodyOf(challenge, keys[0]!))
    await expectRefusal(again, 'challenge', /used before/, before + 1)
  })

  test('expires after five minutes', async () => {
    const [early, late] = [await newChallenge(), await newChallenge()]
    const keys = [await attestKey(device, early), await attestKey(device, late)]
    service.clock.advance(299_000)
    expect(await register(bodyOf(early, keys[0]!))).toMatchObject({ status: 201 })
    service.clock.advance(2_000)
    await expectRefusal(await register(bodyOf(late, keys[1]!)), 'challenge', /has expired/, await count())
  })

  test('works only for its application and its tenant', async () => {
    const tenant = await service.addTenant()
    const other = await create(androidApplication([device.rootPem]))
    const theirs = await create(androidApplication([device.rootPem]), tenant)
    const before = await count()
    const challenges = [
      await newChallenge(other),
      await newChallenge(theirs, tenant),
      'made-up',
      `${await newChallenge()}=`,
    ]
    for (const challenge of challenges) {
      const answer = await register(bodyOf(challenge, await attestKey(device, challenge)))
      await expectRefusal(answer, 'challenge', /another application/, before)
    }
    // The attestation contains another challenge than the request.
    const [one, two] = [await newChallenge(), await newChallenge()]
    const answer = await register(bodyOf(one, await attestKey(device, two)))
    await expectRefusal(answer, 'keyAttestation', /another challenge/, before)
  })
})

test('without required attestation, a given attestation is checked except for its level, and a missing one has the type none', async () => {
  const id = await create(androidApplication([device.rootPem], false))
  const challenge = await newChallenge(id)
  const { publicJwk } = await newHolderKey()
  const { status, body } = await register({ challenge, publicKeyJwk: publicJwk }, id)
  expect([status, body.appAttestationType]).toEqual([201, 'none'])
  expect(body).not.toHaveProperty('lastAttestedAt')
  expect(await attested({ levels: software }, id)).toMatchObject({ status: 201 })
  expect(await attested({ packageNames: ['com.example.other'] }, id)).toMatchObject({ status: 400 })
})

test('unverified device and SDK details have at most 2000 bytes', async () => {
  const id = await create(androidApplication([], false))
  const { publicJwk: publicKeyJwk } = await newHolderKey()
  const body = { challenge: await newChallenge(id), publicKeyJwk }
  const before = await count()
  for (const param of ['deviceDetails', 'sdkDetails']) {
    const answer = await register({ ...body, [param]: { model: 'x'.repeat(2_000) } }, id)
    await expectRefusal(answer, param, /2000 bytes/, before)
  }
})

test('the default roots are those of Google', () => {
  const roots = googleAttestationRoots.map(certificateFromPem)
  // The fingerprints that Google publishes.
  expect(roots.map(({ fingerprint256 }) => fingerprint256)).toEqual([
    'CE:DB:1C:B6:DC:89:6A:E5:EC:79:73:48:BC:E9:28:67:53:C2:B3:8E:E7:1C:E0:FB:E3:4A:9A:12:48:80:0D:FC',
    '6D:9D:B4:CE:6C:5C:0B:29:31:66:D0:89:86:E0:57:74:A8:77:6C:EB:52:5D:9E:43:29:52:0D:E1:2B:A4:BC:C0',
  ])
  expect(roots.map(faultOfAnchor)).toEqual([undefined, undefined])
})
