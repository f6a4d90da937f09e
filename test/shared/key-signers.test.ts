import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../shared/settings/config.ts'
import { readKeySigners } from '../../shared/settings/key-signers.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'trustwright-signers-'))
  writeFileSync(join(dir, 'token'), 'token')
  writeFileSync(join(dir, 'empty'), '')
  writeFileSync(join(dir, 'large'), 'x'.repeat(65_537))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Returns the signers of a file, or the message without the path of the file. */
function read(content: unknown) {
  const file = join(dir, 'signers.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  try {
    return readKeySigners({ KEY_SIGNERS: file })
  } catch (error) {
    return String(error).replaceAll(`KEY_SIGNERS (${file}): `, '').replaceAll(dir, 'DIR').replace('Error: ', '')
  }
}

const own = { adapter: 'remote-signer', url: 'https://signer.internal:8443' }
const readOwn = (members: object) => read({ signers: { own: { ...own, ...members } } })

test('without the setting there are no remote signers, and only the signing process reads it', () => {
  expect(readKeySigners({}).size).toBe(0)
  expect(() => readConfig({ KEY_SIGNERS: 'no-absolute-path', DATA_DIR: dir })).not.toThrow()
  expect(() => readKeySigners({ KEY_SIGNERS: 'no-absolute-path' })).toThrow(
    'KEY_SIGNERS must be the absolute path of a JSON file',
  )
})

test('each adapter has its members and the defaults of the others', () => {
  const tokenFile = join(dir, 'token')
  const signers = {
    own,
    aws: { adapter: 'aws-kms', region: 'us-gov-west-1', credentialsFile: tokenFile },
    google: { adapter: 'google-kms', keyRing: 'projects/p/locations/l/keyRings/r', credentialsFile: tokenFile },
    azure: {
      adapter: 'azure-key-vault',
      url: 'https://v.vault.azure.net',
      directoryId: 'd',
      clientId: 'c',
      clientSecretFile: tokenFile,
    },
    vault: { adapter: 'vault-transit', url: 'https://10.0.0.5:8200', tokenFile, limits: { callsPerSecond: 5 } },
  }
  const limits = { callsPerSecond: 100, concurrency: 16, waiting: 1_000, timeoutMs: 2_000, deadlineMs: 5_000 }
  expect(Object.fromEntries(read({ signers }) as Map<string, object>)).toEqual({
    own: { ...own, algorithms: ['ES256', 'Ed25519', 'X25519', 'ECDH-ES'], limits },
    aws: { ...signers.aws, profile: 'default', prefix: 'trustwright', limits },
    google: {
      ...signers.google,
      url: 'https://cloudkms.googleapis.com',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      protectionLevel: 'HSM',
      prefix: 'trustwright',
      limits,
    },
    azure: {
      ...signers.azure,
      loginUrl: 'https://login.microsoftonline.com',
      scope: 'https://vault.azure.net/.default',
      keyType: 'EC-HSM',
      prefix: 'trustwright',
      limits,
    },
    vault: { ...signers.vault, mount: 'transit', prefix: 'trustwright', limits: { ...limits, callsPerSecond: 5 } },
  })
})

test.each([
  ['', 'the file is empty.'],
  ['{', 'the file is not JSON.'],
  ['{"signers":{},"signers":{}}', 'the file has a member twice.'],
  [`${'['.repeat(20)}${']'.repeat(20)}`, 'the file is nested too deeply.'],
  ['[]', 'the file must be an object with the member signers.'],
  [{}, 'signers must be an object.'],
  [{ signers: {}, others: {} }, 'the file has the unknown member others.'],
  [
    { signers: { 'Not a name': own } },
    'signers.Not a name must have a name of 1 to 32 lower-case letters, digits and -.',
  ],
  [
    { signers: { own: { adapter: 'kms' } } },
    'signers.own.adapter must be remote-signer, aws-kms, google-kms, azure-key-vault or vault-transit.',
  ],
])('the file %j is refused', (content, message) => {
  expect(read(content)).toBe(message)
})

test.each([
  [{ url: 'http://signer.internal' }, 'signers.own.url must use https.'],
  [{ url: 'https://signer.internal/' }, 'signers.own.url must have neither a query nor a slash at its end.'],
  [{ url: 'https://signer.internal?a=b' }, 'signers.own.url must have neither a query nor a slash at its end.'],
  [{ url: 'https://sesame:sesame@signer.internal' }, 'signers.own.url must not contain credentials.'],
  [{ url: 12 }, 'signers.own.url must be a URL.'],
  [{ token: 'sesame' }, 'signers.own has the unknown member token.'],
  [{ algorithms: ['ES256', 'RS256'] }, 'signers.own.algorithms.1 must be one of ES256, Ed25519, X25519, ECDH-ES.'],
  [{ limits: { concurrency: 0 } }, 'signers.own.limits.concurrency must be a whole number from 1 to 128.'],
  [{ limits: { callsPerSecond: '5' } }, 'signers.own.limits.callsPerSecond must be a whole number from 1 to 10000.'],
  [{ tls: { keyFile: '/key' } }, 'signers.own.tls must have both certificateFile and keyFile, or none of them.'],
])('the signer %j is refused', (members, message) => {
  expect(readOwn(members)).toBe(message)
})

test('each file of a signer must be readable, not empty and at most 64 KiB', () => {
  const at = (name: string) => join(dir, name)
  expect(readOwn({ tokenFile: at('missing') })).toBe(
    'tokenFile of the signer own names DIR/missing, which cannot be read (ENOENT).',
  )
  expect(readOwn({ tokenFile: at('empty') })).toBe('tokenFile of the signer own names DIR/empty, which is empty.')
  expect(readOwn({ tls: { caFile: at('large') } })).toBe(
    'caFile of the signer own names DIR/large, which has more than 64 KiB.',
  )
  expect(readKeySigners({ KEY_SIGNERS: '' }).size).toBe(0)
  expect(() => readKeySigners({ KEY_SIGNERS: at('missing') })).toThrow(
    `KEY_SIGNERS (${at('missing')}): the file cannot be read (ENOENT).`,
  )
})

test('several mistakes are named in one line', () => {
  expect(readOwn({ url: 'signer', limits: { waiting: -1 } })).toBe(
    'signers.own.url must be a plain absolute URL such as https://example.com/path. signers.own.limits.waiting must be a whole number from 1 to 100000.',
  )
})
