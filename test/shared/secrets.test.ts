import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Tenant } from '../../api/access/subjects.ts'
import type { Deps } from '../../api/deps.ts'
import { handleOf, issuanceIdOf } from '../../api/issuance/credential/handles.ts'
import { isIssuerStateOf, issuerStateOf } from '../../api/issuance/offers/issuer-state.ts'
import { isTransactionCode } from '../../api/issuance/offers/new-offer.ts'
import { referenceOf } from '../../api/issuance/offers/reference.ts'
import { newNonce, nonceExpiry } from '../../api/proofs/nonce.ts'
import { newId } from '../../shared/ids.ts'
import { createSecrets, equalInConstantTime } from '../../shared/secrets/secrets.ts'
import { tenantSecretContext } from '../../shared/secrets/stored-contexts.ts'

const serviceSecret = randomBytes(32)
const secrets = createSecrets([serviceSecret])
const purpose = { use: 'purpose', place: 'purpose' }

test('a sealed value is opened by every process of the service, for its use only', () => {
  const sealed = secrets.seal('ünïcode \u{1f600}', purpose)
  expect(createSecrets([serviceSecret]).open(sealed, purpose)).toBe('ünïcode \u{1f600}')
  expect(secrets.seal('the same', purpose)).not.toBe(secrets.seal('the same', purpose))
  for (const place of ['purpose two', 'purpose ', '']) {
    expect(() => secrets.open(sealed, { ...purpose, place }), place).toThrow()
  }
  expect(() => secrets.open(sealed, { ...purpose, use: 'another' })).toThrow()
  expect(() => createSecrets([randomBytes(32)]).open(sealed, purpose)).toThrow()
})

test('a sealed value with a changed, missing or additional byte is refused', () => {
  const sealed = Buffer.from(secrets.seal('text', purpose), 'base64url')
  expect(sealed.includes('text')).toBe(false)
  const variants = [...sealed.keys()].flatMap((position) => {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(position) ^ 1, position)
    return [changed, sealed.subarray(0, position)]
  })
  for (const variant of [...variants, Buffer.concat([sealed, Buffer.alloc(1)])]) {
    expect(() => secrets.open(variant.toString('base64url'), purpose)).toThrow()
  }
})

test('a shortened tag is refused, because four bytes could be guessed', () => {
  const sealed = Buffer.from(secrets.seal('', purpose), 'base64url')
  expect(secrets.open(sealed.toString('base64url'), purpose)).toBe('')
  for (const bytes of [4, 8, 12, 15]) {
    const shortened = sealed.subarray(0, 12 + bytes).toString('base64url')
    expect(() => secrets.open(shortened, purpose), `${bytes} bytes`).toThrow(Error)
  }
})

test('the keys that are derived from a secret stay the same in every version', () => {
  const secrets = createSecrets([Buffer.alloc(32, 1)])
  expect(secrets.mac('c_nonce', 'data')).toBe('XcfxJ2ASVda-up5JrbV1U5Qx2TWtPBnXvzcV1A2slVk')
  expect(secrets.open('yDEsOZG-6yWtRkTZFkanWtGgUhaHa0vcVaY4JySb4FM', purpose)).toBe('text')
})

test('a MAC is valid for one use and one service', () => {
  const mac = secrets.mac('c_nonce', 'text')
  expect(createSecrets([serviceSecret]).mac('c_nonce', 'text')).toBe(mac)
  expect(secrets.mac('tx_code', 'text')).not.toBe(mac)
  expect(secrets.mac('c_nonce', 'other')).not.toBe(mac)
  expect(createSecrets([randomBytes(32)]).mac('c_nonce', 'text')).not.toBe(mac)
})

test('while a secret is replaced, values under both are accepted, and the first one seals new values', () => {
  const [older, newer] = [serviceSecret, randomBytes(32)] as const
  const after = createSecrets([newer, older])
  const sealed = secrets.seal('text', purpose)
  expect(after.open(sealed, purpose)).toBe('text')
  expect(after.isMac(secrets.mac('c_nonce', 'text'), 'c_nonce', 'text')).toBe(true)
  expect(after.isMac(secrets.mac('c_nonce', 'text'), 'tx_code', 'text')).toBe(false)
  expect(after.isMac(createSecrets([randomBytes(32)]).mac('c_nonce', 'text'), 'c_nonce', 'text')).toBe(false)
  expect(after.macs('c_nonce', 'text')).toEqual([after, secrets].map((each) => each.mac('c_nonce', 'text')))
  expect(() => after.open(sealed, { ...purpose, place: 'other' })).toThrow(Error)

  const alone = createSecrets([newer])
  expect(alone.open(after.seal('new', purpose), purpose)).toBe('new')
  expect(after.mac('c_nonce', 'text')).toBe(alone.mac('c_nonce', 'text'))
  const bytes = Buffer.from(sealed, 'base64url')
  const resealed = after.reseal(bytes, purpose) ?? Buffer.alloc(0)
  expect(alone.openBytes(resealed, purpose).toString()).toBe('text')
  expect(after.reseal(resealed, purpose)).toBeUndefined()
  expect(() => alone.reseal(bytes, purpose)).toThrow()

  // Bytes that are no text stay as they are.
  const noText = Buffer.from([0xff, 0xfe])
  const sealedBytes = after.reseal(secrets.sealBytes(noText, purpose), purpose) ?? Buffer.alloc(0)
  expect(alone.openBytes(sealedBytes, purpose)).toEqual(noText)
})

test('texts are equal if all bytes are', () => {
  expect(equalInConstantTime('ab', 'ab')).toBe(true)
  for (const other of ['ac', 'bb', 'a', 'abc', '', 'Ab']) expect(equalInConstantTime('ab', other)).toBe(false)
})

// Boundaries: what these functions look at.
const deps = { secrets, clock: { now: () => new Date(1_000_000) } } as Deps
const later = { secrets, clock: { now: () => new Date(1_000_000 + 5 * 60_000) } } as Deps
const [one, two] = [newId(), newId()].map((id) => ({ id, sealedSecret: null })) as [Tenant, Tenant]

test('a nonce is valid for one tenant and one use, and expires', () => {
  const nonce = newNonce(deps, one, 'c_nonce')
  expect(nonceExpiry(deps, one, nonce, 'c_nonce')).toEqual(new Date(1_000_000 + 5 * 60_000))
  expect(nonceExpiry(deps, two, nonce, 'c_nonce')).toBeUndefined()
  expect(nonceExpiry(deps, one, nonce, 'dpop_nonce server')).toBeUndefined()
  expect(nonceExpiry(deps, one, newNonce(deps, one, 'dpop_nonce server'), 'dpop_nonce resource')).toBeUndefined()
  expect(nonceExpiry(later, one, nonce, 'c_nonce')).toBeUndefined()
  for (const other of ['', '.', nonce.slice(0, -1), `${nonce}.`, `${nonce}.x`, nonce.replace('.', '')]) {
    expect(nonceExpiry(deps, one, other, 'c_nonce'), other).toBeUndefined()
  }
})

test('a handle is valid for one tenant and one use', () => {
  const id = newId()
  const handle = handleOf(deps, one, 'transaction_id', id)
  expect(issuanceIdOf(deps, one, 'transaction_id', handle)).toBe(id)
  expect(issuanceIdOf(deps, two, 'transaction_id', handle)).toBeUndefined()
  expect(issuanceIdOf(deps, one, 'notification_id', handle)).toBeUndefined()
  for (const other of [id, `${id}.`, handle.slice(0, -1), `${handle}x`, handle.replace(id, newId())]) {
    expect(issuanceIdOf(deps, one, 'transaction_id', other), other).toBeUndefined()
  }
})

describe('the MACs of a tenant', () => {
  const elsewhere = createSecrets([randomBytes(32)])
  const id = newId()
  const tenant = { id, sealedSecret: secrets.newTenantSecret(id) } as Tenant
  const opened = secrets.openBytes(Buffer.from(tenant.sealedSecret ?? '', 'base64url'), tenantSecretContext(id))
  const sealedSecret = elsewhere.sealBytes(opened, tenantSecretContext(id)).toString('base64url')
  const moved = { ...tenant, sealedSecret } as Tenant
  const depsElsewhere = { ...deps, secrets: elsewhere } as Deps

  test('are the same under another service secret, so that what the tenant gave out stays valid', () => {
    const offerId = newId()
    const handle = handleOf(deps, tenant, 'transaction_id', offerId)
    expect(issuanceIdOf(depsElsewhere, moved, 'transaction_id', handle)).toBe(offerId)
    expect(isIssuerStateOf(depsElsewhere, moved, offerId, issuerStateOf(deps, tenant, offerId))).toBe(true)
    expect(referenceOf(depsElsewhere, moved, offerId)).toBe(referenceOf(deps, tenant, offerId))
    const mac = secrets.ofTenant(tenant).mac('tx_code', `${offerId} 123456`)
    expect(isTransactionCode(depsElsewhere, moved, offerId, '123456', mac)).toBe(true)
  })

  test('differ from those of another tenant and of the service, which are accepted while they can be of an older version', () => {
    const mac = secrets.ofTenant(tenant).mac('tx_code', 'text')
    expect(mac).not.toBe(secrets.mac('tx_code', 'text'))
    expect(
      secrets.ofTenant({ id: one.id, sealedSecret: secrets.newTenantSecret(one.id) }).mac('tx_code', 'text'),
    ).not.toBe(mac)
    expect(secrets.ofTenant(tenant).isMac(secrets.mac('tx_code', 'text'), 'tx_code', 'text')).toBe(true)
    expect(secrets.ofTenant(tenant).macs('tx_code', 'text')).toEqual([mac, secrets.mac('tx_code', 'text')])
    expect(secrets.isMac(mac, 'tx_code', 'text')).toBe(false)
  })

  test('are those of the service without a secret, or with one that cannot be opened', () => {
    const mac = secrets.mac('tx_code', 'text')
    const foreign = elsewhere.newTenantSecret(id)
    const ofOther = secrets.newTenantSecret(newId())
    for (const sealedSecret of [null, foreign, ofOther])
      expect(secrets.ofTenant({ id, sealedSecret }).macs('tx_code', 'text')).toEqual([mac])
  })
})

test('a transaction code is sealed for one offer', () => {
  const offerId = newId()
  const mac = secrets.mac('tx_code', `${offerId} 123456`)
  expect(isTransactionCode(deps, one, offerId, '123456', mac)).toBe(true)
  expect(isTransactionCode(deps, one, newId(), '123456', mac)).toBe(false)
  expect(isTransactionCode(deps, one, offerId, '123457', mac)).toBe(false)
})
