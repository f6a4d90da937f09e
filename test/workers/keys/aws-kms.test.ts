import {
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
  sign,
} from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KeyProviderRefused, KeyProviderUnavailable } from '../../../workers/signing/keys/provider.ts'
import { awsAuthorization } from '../../../workers/signing/keys/remote/adapters/aws-signature.ts'
import {
  type ApiCall,
  type FakeAnswer,
  newFolder,
  newSigner,
  openProvider,
  startFakeApi,
  tenantId,
} from '../../servers/remote-signer.ts'

/** The credentials and the time of the public test suite of Signature Version 4. */
const suite = {
  credentials: {
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    sessionToken: undefined,
  },
  scope: { region: 'us-east-1', service: 'service', at: new Date('2015-08-30T12:36:00Z') },
}

test.each([
  ['post-vanilla', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-x-www-form-urlencoded',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
])('a request is signed as %s of the test suite', (_, headers, body, signature) => {
  const request = { url: 'https://example.amazonaws.com/', headers: { ...headers }, body }
  const { authorization, ...others } = awsAuthorization(request, suite.credentials, suite.scope)
  expect(authorization).toContain('Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ')
  expect(authorization).toMatch(new RegExp(`Signature=${signature}$`))
  expect(others).toEqual({ 'x-amz-date': '20150830T123600Z' })
})

test('the token of a session is signed', () => {
  const request = { url: 'https://example.amazonaws.com/', headers: {}, body: '' }
  const headers = awsAuthorization(request, { ...suite.credentials, sessionToken: 'token-of-session' }, suite.scope)
  expect(headers).toMatchObject({ 'x-amz-security-token': 'token-of-session' })
  expect(headers.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token')
})

const keyId = '1234abcd-12ab-34cd-56ef-1234567890ab'
const arn = `arn:aws:kms:eu-central-1:111122223333:key/${keyId}`

/** An answer of AWS KMS with status 400, as "Common errors" of its reference describes. */
const errorOf = (type: string): FakeAnswer => ({
  status: 400,
  json: { __type: type, message: 'sesame' },
  headers: { 'x-amzn-errortype': type, 'content-type': 'application/x-amz-json-1.1' },
})

/** AWS KMS with the answers of its API reference: the operations return the members that the reference shows. */
async function startKms(overrides: Record<string, (call: Call) => FakeAnswer> = {}) {
  const pairs = new Map<string, KeyPairKeyObjectResult>()
  const aliases = new Map<string, string>()
  const pairOf = (id: string) => pairs.get(id)!
  const answers: Record<string, (call: Call) => FakeAnswer> = {
    DescribeKey: ({ KeyId }) => {
      const id = aliases.get(KeyId)
      return id ? { json: { KeyMetadata: metadataOf(id) } } : errorOf('NotFoundException')
    },
    CreateKey: () => {
      const id = pairs.size === 0 ? keyId : `${keyId.slice(0, -1)}${pairs.size}`
      pairs.set(id, generateKeyPairSync('ec', { namedCurve: 'P-256' }))
      return { json: { KeyMetadata: metadataOf(id) } }
    },
    CreateAlias: ({ AliasName, TargetKeyId }) => {
      aliases.set(AliasName, TargetKeyId)
      return {}
    },
    GetPublicKey: ({ KeyId }) => {
      const spki = pairOf(KeyId).publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
      const json = { KeyId: arn, PublicKey: spki, KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }
      return { json: { ...json, SigningAlgorithms: ['ECDSA_SHA_256'] } }
    },
    Sign: ({ KeyId, Message, MessageType, SigningAlgorithm }) => {
      if (!pairs.has(KeyId)) return errorOf('NotFoundException')
      const isDigest = MessageType === 'DIGEST' && Message === digest && SigningAlgorithm === 'ECDSA_SHA_256'
      if (!isDigest) return errorOf('ValidationException')
      return {
        json: {
          KeyId: arn,
          Signature: sign('sha256', bytes, pairOf(KeyId).privateKey).toString('base64'),
          SigningAlgorithm,
        },
      }
    },
    DeriveSharedSecret: ({ KeyId, PublicKey }) => {
      const peer = createPublicKey({ key: Buffer.from(PublicKey, 'base64'), format: 'der', type: 'spki' })
      const secret = diffieHellman({ privateKey: pairOf(KeyId).privateKey, publicKey: peer }).toString('base64')
      return { json: { KeyId: arn, SharedSecret: secret, KeyAgreementAlgorithm: 'ECDH', KeyOrigin: 'AWS_KMS' } }
    },
    ListAliases: ({ KeyId, Marker }) => {
      const ours = [...aliases].filter(([, id]) => KeyId === undefined || id === KeyId)
      const page = Marker ? ours.slice(1) : ours.slice(0, 1)
      const aws = { AliasName: 'alias/aws/s3', AliasArn: 'arn:aws:kms:eu-central-1:111122223333:alias/aws/s3' }
      const Aliases = [aws, ...page.map(([AliasName, TargetKeyId]) => ({ AliasName, TargetKeyId }))]
      return {
        json:
          ours.length > 1 && !Marker ? { Aliases, Truncated: true, NextMarker: 'next' } : { Aliases, Truncated: false },
      }
    },
    DeleteAlias: ({ AliasName }) => (aliases.delete(AliasName) ? {} : errorOf('NotFoundException')),
    ScheduleKeyDeletion: ({ KeyId, PendingWindowInDays }) => {
      const isKept = pairs.delete(KeyId)
      return isKept
        ? { json: { KeyId: arn, KeyState: 'PendingDeletion', PendingWindowInDays } }
        : errorOf('KMSInvalidStateException')
    },
  }
  const api = await startFakeApi((call) => {
    const operation = operationOf(call)
    return (overrides[operation] ?? answers[operation]!)(JSON.parse(call.body))
  })
  return { ...api, aliases, operations: () => api.calls.map(operationOf) }
}

/** The members of requests. Each operation has some of them. */
type Call = Record<
  | 'KeyId'
  | 'AliasName'
  | 'TargetKeyId'
  | 'Message'
  | 'MessageType'
  | 'SigningAlgorithm'
  | 'PublicKey'
  | 'PendingWindowInDays',
  string
> & { Marker?: string }
const operationOf = ({ headers }: ApiCall) => String(headers['x-amz-target']).replace('TrentService.', '')
const metadataOf = (KeyId: string) => ({
  AWSAccountId: '111122223333',
  KeyId,
  Arn: arn,
  KeyState: 'Enabled',
  KeySpec: 'ECC_NIST_P256',
})
const bytes = Buffer.from('what is signed')
const digest = createHash('sha256').update(bytes).digest('base64')

async function start(overrides: Parameters<typeof startKms>[0] = {}) {
  const kms = await startKms(overrides)
  const credentialsFile = join(newFolder(), 'credentials')
  writeFileSync(credentialsFile, '[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret-of-aws\n')
  appendFileSync(
    credentialsFile,
    '\n[other]\naws_access_key_id=AKIDOTHER\naws_secret_access_key=other\naws_session_token=session\n',
  )
  const settings = { adapter: 'aws-kms', region: 'eu-central-1', url: kms.url, credentialsFile }
  return { kms, settings, ...openProvider(settings) }
}

test('a key is made with an alias, signs digests, and is found again by its alias', async () => {
  const { kms, provider } = await start()
  const { handle, signer } = await newSigner(provider)
  expect(handle).toBe(keyId)
  expect(await signer.sign(bytes)).toHaveLength(64)
  expect(kms.operations()).toEqual(['DescribeKey', 'CreateKey', 'CreateAlias', 'GetPublicKey', 'Sign'])
  expect(JSON.parse(kms.calls[1]!.body)).toEqual({
    KeySpec: 'ECC_NIST_P256',
    KeyUsage: 'SIGN_VERIFY',
    Description: 'label of key-1',
  })
  expect(kms.calls[4]).toMatchObject({ method: 'POST', path: '/' })
  expect(kms.calls[4]?.headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'TrentService.Sign',
  })
  expect(kms.calls[4]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/kms\//,
  )
  expect((await newSigner(provider)).handle).toBe(handle)
  expect(kms.operations().filter((each) => each === 'CreateKey')).toHaveLength(1)
})

test('another profile of the credentials has a session', async () => {
  const { kms, settings } = await start()
  const { provider } = openProvider({ ...settings, profile: 'other' })
  await provider.check()
  expect(kms.calls[0]?.headers['x-amz-security-token']).toBe('session')
  expect(kms.calls[0]?.headers.authorization).toContain('Credential=AKIDOTHER/')
  const unknown = openProvider({ ...settings, profile: 'unknown' })
  await expect(unknown.provider.check()).rejects.toThrow('credentialsFile has no access key in the profile unknown')
})

test('a key of ECDH-ES derives a secret', async () => {
  const { provider } = await start()
  const { handle, publicJwk } = await provider.generate({
    id: 'key',
    tenantId,
    purpose: 'did',
    label: 'label',
    algorithm: 'ECDH-ES',
  })
  const publicKey = createPublicKey({ key: { ...publicJwk }, format: 'jwk' })
  const peer = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const agreement = provider.agreement({ id: 'key', tenantId, algorithm: 'ECDH-ES', publicKey, handle })
  expect(await agreement.derive(peer.publicKey)).toEqual(diffieHellman({ privateKey: peer.privateKey, publicKey }))
})

test('keys are listed by their aliases over pages, and a destroyed key is listed no more', async () => {
  const { kms, provider } = await start()
  kms.aliases.set('alias/of-another', 'other-key')
  const first = await newSigner(provider, 'ES256', 'key-1')
  const second = await newSigner(provider, 'ES256', 'key-2')
  kms.aliases.delete('alias/of-another')
  expect(await Array.fromAsync(provider.handles())).toEqual([first.handle, second.handle])
  await provider.destroy(first.handle)
  await provider.destroy(first.handle)
  expect(await Array.fromAsync(provider.handles())).toEqual([second.handle])
  await expect(first.signer.sign(bytes)).rejects.toThrow('does not know the key')
})

test.each([
  ['ThrottlingException', 2],
  ['KMSInternalException', 1],
])('after the error %s the request is repeated', async (type, times) => {
  let left = times
  const { provider, kms } = await start({
    Sign: () =>
      left-- > 0 ? { ...(errorOf(type) as object), status: type === 'KMSInternalException' ? 500 : 400 } : { json: {} },
  })
  const { signer } = await newSigner(provider)
  await expect(signer.sign(bytes)).rejects.toThrow('The answer of the remote signer is wrong: Signature')
  expect(kms.operations().filter((each) => each === 'Sign')).toHaveLength(times + 1)
})

test('a key that may have been made is not made twice', async () => {
  const { provider, kms } = await start({ CreateKey: () => 'reset' })
  await expect(newSigner(provider)).rejects.toThrow(KeyProviderUnavailable)
  expect(kms.operations()).toEqual(['DescribeKey', 'CreateKey'])
})

test.each([
  ['AccessDeniedException', KeyProviderUnavailable],
  ['ValidationException', KeyProviderRefused],
  ['com.amazonaws.kms#NotFoundException', KeyProviderRefused],
])('the error %s is reported without its message', async (type, kind) => {
  const { provider } = await start({ Sign: () => errorOf(type) })
  const { signer } = await newSigner(provider)
  const error = await signer.sign(bytes).catch((error: Error) => error)
  expect(error).toBeInstanceOf(kind)
  expect(String(error)).not.toMatch(/sesame|secret-of-aws/)
})

const der = (...bytes: number[]) => Buffer.from(bytes).toString('base64')
test.each([
  ['raw instead of DER', Buffer.alloc(64, 1).toString('base64')],
  ['with a length beyond its end', der(0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x09, 0x01)],
  ['with a negative number', der(0x30, 0x06, 0x02, 0x01, 0x81, 0x02, 0x01, 0x01)],
  ['with a needless zero', der(0x30, 0x07, 0x02, 0x02, 0x00, 0x01, 0x02, 0x01, 0x01)],
  ['with bytes behind it', der(0x30, 0x07, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00)],
  ['with a number of 33 bytes', der(0x30, 0x26, 0x02, 0x21, ...Array(33).fill(1), 0x02, 0x01, 0x01)],
  ['of other bytes', der(0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01)],
  ['that is no base64', '-_-_'],
])('a signature %s is refused', async (_, Signature) => {
  const { provider } = await start({
    Sign: () => ({ json: { KeyId: arn, Signature, SigningAlgorithm: 'ECDSA_SHA_256' } }),
  })
  const { signer } = await newSigner(provider)
  await expect(signer.sign(bytes)).rejects.toThrow(KeyProviderRefused)
})

test('Ed25519 is not supported', async () => {
  const { provider } = await start()
  expect(['ES256', 'ECDH-ES', 'Ed25519', 'X25519'].map((each) => provider.supports(each as 'ES256'))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
