import { describe, expect, test } from 'vitest'
import { families } from '../../../api/issuance/readers/families.ts'
import { findReaders } from '../../../api/issuance/readers/find-readers.ts'
import { walletFamilies } from '../../../shared/domain/issuance/wallet-families.ts'
import { readable, unreadable, withChanges } from './reader-documents.ts'

const checks = walletFamilies.flatMap((family) => families[family].checks.map((check) => ({ family, ...check })))

test('at least 57 checks have a name of their own in the family, and a file of a public library', () => {
  expect(checks.length).toBeGreaterThanOrEqual(57)
  for (const family of walletFamilies) {
    const ids = families[family].checks.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
    // A document that fails each check, and no other name.
    expect(Object.keys(unreadable[family]).sort()).toEqual([...ids].sort())
  }
  for (const { what, source } of checks) {
    expect(what).toMatch(/^[A-Z]/)
    expect(source.repository).toMatch(/^[\w.-]+\/[\w.-]+$/)
    expect(source.path).toMatch(/^[\w./-]+\.(kt|swift|ts)$/)
    expect(source.version).toMatch(/^(v\d[\w.-]+|[0-9a-f]{40})$/)
  }
})

test('each family reads documents that are made for all of them', () => {
  const readers = findReaders(readable)
  expect(readers.flatMap(({ family, findings }) => findings.map((finding) => [family, finding]))).toEqual([])
  expect(readers.every(({ canRead }) => canRead)).toBe(true)
})

describe.each(walletFamilies)('%s', (family) => {
  const ofFamily = checks.filter((check) => check.family === family)
  test.each(ofFamily)('$id: $what', ({ id, affects }) => {
    const [reader] = findReaders(withChanges(...(unreadable[family][id] ?? [])), [family])
    const findings = reader?.findings.filter(({ check }) => check === id) ?? []
    expect(findings.length).toBeGreaterThan(0)
    for (const { message, fix, field, configurationId } of findings) {
      expect([message, fix]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
      expect(field).not.toBe('')
      if (affects === 'configuration') expect(['card', 'licence']).toContain(configurationId)
      // A fix can name the configuration.
      expect(fix).not.toContain('{')
    }
    if (affects === 'issuer') expect(reader?.canRead).toBe(false)
  })
})

test('a configuration that a wallet leaves out does not prevent it from reading the others', () => {
  const readers = findReaders(withChanges(['card.format', 'cwt']))
  const metadataOnly = readers.map(({ family, findings }) => ({
    family,
    refuses: findings.some(({ part, affects }) => part === 'issuerMetadata' && affects === 'issuer'),
  }))
  expect(metadataOnly.filter(({ refuses }) => refuses).map(({ family }) => family)).toEqual(['eudi-ios', 'walt-id'])
})

test('a proof type jwt without key attestations prevents only the EUDI wallet for Android from reading', () => {
  const documents = withChanges(['card.proof_types_supported.jwt.key_attestations_required'])
  const refusing = findReaders(documents).filter(({ canRead }) => !canRead)
  expect(refusing.map(({ family }) => family)).toEqual(['eudi-android'])
  expect(refusing[0]?.findings).toMatchObject([
    {
      check: 'jwt_key_attestations',
      configurationId: 'card',
      fix: 'Set keyAttestationsRequired of the configuration card. An empty object accepts any attestation.',
    },
  ])
})
