import { and, eq } from 'drizzle-orm'
import type { JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { metadataCache } from '../../api/issuance/metadata/published.ts'
import { keys } from '../../db/tables/identifiers/keys.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService, tokenOf } from '../harness/harness.ts'
import { expectOauthError } from '../harness/oauth-error.ts'
import { issuerPath, keyOf, redeemedBy } from './encrypted-wallet.ts'

describe('the keys of encrypted requests', () => {
  /** As another process does it, whose changes are seen here within a second. */
  async function rotateDue({ deps }: Service) {
    await deps.bus.call('rotateDueKeys', {}, { deadlineMs: 60_000 })
    deps.caches.of(metadataCache).clear()
  }

  test('are replaced after 30 days, and an old key decrypts for another day and is then deleted', async () => {
    await using aged = await startService({ roles: ['signing', 'signing-bulk'] })
    const rotate = () => rotateDue(aged)
    const kids = async () => {
      const { body } = await aged.anonymous.get(issuerPath)
      return body.credential_request_encryption.jwks.keys.map(({ kid }: JWK) => kid)
    }
    const old = await keyOf(aged)
    aged.clock.advance(29 * 86_400_000)
    await rotate()
    expect(await kids()).toEqual([old.kid])
    aged.clock.advance(2 * 86_400_000)
    await rotate()
    await rotate()
    const [young, ...more] = await kids()
    expect([young === old.kid, more]).toEqual([false, []])

    const send = async () => {
      const token = await tokenOf(aged.origin, aged.host, aged.clientId, aged.clientSecret)
      const tenant = { ...aged, operator: createApi(aged.origin, aged.host, token) }
      const all = await redeemedBy(tenant, await compactConfiguration(tenant), aged.origin)
      return all.send('{}', { jwk: old })
    }
    // What is inside names no credential: it was opened.
    aged.clock.advance(23 * 3_600_000)
    expectOauthError(await send(), 'invalid_credential_request')
    aged.clock.advance(2 * 3_600_000)
    expectOauthError(await send(), 'invalid_encryption_parameters')
    await rotate()
    expect(await kids()).toEqual([young])
  })

  test('are not replaced for a tenant that is being removed, and other tenants get theirs', async () => {
    await using aged = await startService({ roles: ['signing', 'signing-bulk'] })
    const leaving = await aged.addTenant()
    expect(await aged.platform.delete(`/v1/tenants/${leaving.id}`)).toMatchObject({ status: 204 })
    const { kid } = await keyOf(aged)
    aged.clock.advance(31 * 86_400_000)
    await rotateDue(aged)
    expect(await keyOf(aged)).not.toMatchObject({ kid })
    const encryptionKeys = and(eq(keys.tenantId, leaving.id), eq(keys.purpose, 'encryption'))
    expect(await aged.deps.db.read.$count(keys, encryptionKeys)).toBe(1)
  })
})

test('without a signing process an encrypted request gets 503 and succeeds afterwards', async () => {
  await using away = await startService({ roles: ['signing'] })
  const all = await redeemedBy(away, await compactConfiguration(away), away.origin)
  await away.workers.stop()
  const refused = await away.withSigningWait(100, () => all.send(all.right))
  expectOauthError(refused, 'temporarily_unavailable', 503)
  await away.workers.start()
  expect(await all.send(all.right)).toMatchObject({ status: 200 })
})
