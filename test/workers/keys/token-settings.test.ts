import { expect, test } from 'vitest'
import { readTokenSettings } from '../../../workers/signing/keys/pkcs11/token-settings.ts'
import { keyUri, parseKeyUri, parseTokenUri } from '../../../workers/signing/keys/pkcs11/token-uri.ts'

const built = import.meta.filename
const env = {
  PKCS11_MODULE: '/usr/lib/softhsm/libsofthsm2.so',
  PKCS11_TOKEN: 'pkcs11:token=issuer',
  PKCS11_PIN_FILE: '/etc/trustwright/pin',
}

test('the settings of a token are read, and none of them is needed', () => {
  const [module, uri, pinFile] = Object.values(env)
  expect(readTokenSettings(env, built)).toEqual({ module, uri, pinFile })
  expect(readTokenSettings({}, built)).toBeUndefined()
})

test('a part of the settings is refused with the names of the others', () => {
  const { PKCS11_PIN_FILE: _, ...incomplete } = env
  expect(() => readTokenSettings(incomplete, built)).toThrow(/^PKCS11_PIN_FILE must be set, too/)
})

test('without the module for PKCS#11 the settings are refused with the command that builds it', () => {
  expect(() => readTokenSettings(env, '/absent')).toThrow('Run `npm run pkcs11:build`')
})

test('a URI is no file name, and neither a PIN in the place of its file nor a PIN in the URI is in the message', () => {
  expect(() => readTokenSettings({ ...env, PKCS11_MODULE: 'pkcs11:token=issuer' }, built)).toThrow(
    /^PKCS11_MODULE must be the absolute path/,
  )
  for (const wrong of [
    { PKCS11_PIN_FILE: '271828' },
    { PKCS11_TOKEN: 'pkcs11:token=issuer?pin-value=271828' },
    { PKCS11_TOKEN: 'pkcs11:token=issuer;pin-value=271828' },
  ]) {
    const message = faultOf(() => readTokenSettings({ ...env, ...wrong }, built))
    expect(message).toMatch(/^PKCS11_(PIN_FILE|TOKEN) /)
    expect(message).not.toContain('271828')
  }
})

function faultOf(read: () => unknown): string {
  try {
    return String(read())
  } catch (error) {
    return (error as Error).message
  }
}

// RFC 7512, section 3, has the first one.
test.for([
  ['pkcs11:token=The%20Software%20PKCS%2311%20Softtoken;manufacturer=Snake%20Oil,%20Inc.;model=1.0', 'Snake Oil, Inc.'],
  ['pkcs11:token=a&b=c;manufacturer=%C3%89mile', 'Émile'],
])('the URI %s names a token', ([text = '', manufacturer]) => {
  expect(parseTokenUri(text)).toMatchObject({ manufacturer })
})

test.for([
  ['token=issuer', 'must start with pkcs11:'],
  ['pkcs11:', 'names no token'],
  ['pkcs11:token', 'a part that is not NAME=VALUE'],
  ['pkcs11:token=a;', 'a part that is not NAME=VALUE'],
  ['pkcs11:token=a b', 'must be percent-encoded'],
  ['pkcs11:token=%4', 'must be percent-encoded'],
  ['pkcs11:token=a/b', 'must be percent-encoded'],
  ['pkcs11:token=%ff', 'not UTF-8'],
  ['pkcs11:token=a;token=b', 'twice'],
  ['pkcs11:slot-id=1', 'Slots change their numbers'],
  ['pkcs11:token=a;object=b', 'has the attribute `object`'],
  ['pkcs11:token=a;x-vendor=b', 'has the attribute `x-vendor`'],
  ['pkcs11:token=a?module-path=/lib/a.so', 'PKCS11_MODULE is the path'],
  ['pkcs11:token=a?pin-source=/pin', 'set PKCS11_PIN_FILE'],
])('the URI %s is refused: %s', ([text = '', reason = '']) => {
  expect(() => parseTokenUri(text)).toThrow(reason)
})

test('the URI of a key is read as it was written', () => {
  const key = { id: Buffer.from([0, 255, 37, 59]), label: 'tenant/é;(1)=%' }
  const uri = keyUri("issuer's one", key)
  expect(uri).toMatch(/^pkcs11:token=issuer%27s%20one;id=%00%ff%25%3b;object=[\w%./-]+;type=private$/)
  expect(parseKeyUri(uri)).toEqual(key)
})

test.for([
  'pkcs11:token=a',
  'pkcs11:id=%01;object=a',
  'pkcs11:id=%01;object=a;type=public',
  'pkcs11:id=%01;object=a;type=private;model=b',
])('the URI %s is not that of a private key', (uri) => {
  expect(() => parseKeyUri(uri)).toThrow('is not the URI of a key with token, id, object and type=private')
})
