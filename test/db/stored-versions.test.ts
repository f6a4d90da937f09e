import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { hold, holdTenant } from '../../db/hold.ts'
import {
  findAllConfigurations,
  findConfiguration,
  holdConfiguration,
  listConfigurations,
} from '../../db/repos/issuance/configurations.ts'
import { findOAuthClient, listOAuthClients } from '../../db/repos/issuance/wallets.ts'
import { findTenant, findTenantRowByHost, insertHosts, updateTenant } from '../../db/repos/tenancy/tenants.ts'
import { configurations } from '../../db/tables/issuance/configurations.ts'
import { oauthClients } from '../../db/tables/issuance/wallets.ts'
import { defaultSettings, tenants } from '../../db/tables/tenancy/tenants.ts'
import { openNewDatabase } from '../harness/database.ts'

const createdAt = new Date('2025-06-30T23:59:59.987Z')
const tenantId = 't'

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

/** What another version of the service wrote is no value of this one's types. */
const stored = (value: object) => value as never

async function addTenant(id: string, settings: object) {
  const names = { name: id, subdomain: id, canonicalHost: id, did: `did:web:${id}` }
  await db.tx(async (tx) => {
    const row = { id, kind: 'tenant' as const, state: 'active' as const, ...names, createdAt }
    await tx.insert(tenants).values({ ...row, settings: stored(settings) })
    await insertHosts(tx, id, [id])
  })
}

async function settingsOf(id: string) {
  const rows = [await findTenant(db.read, id), await findTenantRowByHost(db.read, id)]
  const held = await db.tx((tx) => holdTenant(tx, id))
  return [...rows, held].map((row) => row?.settings)
}

test('settings of an older version get their defaults, however the tenant is read', async () => {
  await addTenant('empty', {})
  expect(await settingsOf('empty')).toEqual(Array(3).fill(defaultSettings))
  await addTenant('older', { profile: 'haip', encryption: { requestRequired: true }, publicClients: true })
  const encryption = { requestRequired: true, responseRequired: false }
  const whole = { ...defaultSettings, profile: 'haip', encryption, publicClients: true }
  expect(await settingsOf('older')).toEqual(Array(3).fill(whole))
})

test('a limit of approvals that an older version accepted, and that no count exceeds, is the highest of this version', async () => {
  await addTenant('unlimited', { approvals: { statusChanges: 1_000_000, bulkIssuances: 1_000_000 } })
  const approvals = { statusChanges: 999_999, bulkIssuances: 1_000_000 }
  expect(await settingsOf('unlimited')).toEqual(Array(3).fill({ ...defaultSettings, approvals }))
})

test('settings that only a newer version knows stay when the settings are written', async () => {
  await addTenant('newer', { colour: 'blue', limits: { statusLists: 7 }, encryption: { zip: ['DEF'] } })
  const tenant = (await findTenant(db.read, 'newer'))!
  const [written] = await db.tx(async (tx) => [await updateTenant(tx, 'newer', tenant)])
  const newer = { ...defaultSettings.encryption, zip: ['DEF'] }
  expect(written!.settings).toEqual({
    ...{ ...defaultSettings, colour: 'blue', limits: { statusLists: 7 }, encryption: newer },
  })
  const [raw] = await db.read.select().from(tenants).where(eq(tenants.id, 'newer'))
  expect(raw!.settings).toEqual(written!.settings)
})

test('rows do not share the objects of their defaults', async () => {
  await addTenant('first', {})
  await addTenant('second', {})
  ;(await findTenant(db.read, 'first'))!.settings.keyAttestationRoots.push('changed by mistake')
  expect((await findTenant(db.read, 'second'))!.settings).toEqual(defaultSettings)
})

test('settings of a configuration get their defaults in prepared and in plain queries', async () => {
  const row = { tenantId, profile: 'compact' as const, type: 'T', uniqueType: null, createdAt }
  await db.tx(async (tx) => {
    await tx.insert(configurations).values({ ...row, id: 'c', settings: stored({ expiresIn: { years: 1 }, later: 1 }) })
  })
  const whole = { claimMappings: {}, revocable: false, expiresIn: { years: 1 }, later: 1 }
  expect((await findConfiguration(db.read, tenantId, 'c'))?.settings).toEqual(whole)
  const [listed] = await listConfigurations(db.read, tenantId, 'compact', { limit: 1 })
  expect(listed?.settings).toEqual(whole)
})

test('missing settings of a configuration depend on its profile, however it is read', async () => {
  const row = { tenantId, profile: 'web-semantic' as const, type: 'W', uniqueType: null, createdAt }
  const old = { name: 'W', issuer: { name: 'I' }, claimMappings: {} }
  await db.tx((tx) => tx.insert(configurations).values({ ...row, id: 'w', settings: old }))
  const whole = { ...old, revocable: false, proofType: 'Ed25519Signature2018', persist: false }
  const held = await db.tx((tx) => holdConfiguration(tx, tenantId, 'w'))
  const [listed] = await listConfigurations(db.read, tenantId, 'web-semantic', { limit: 1 })
  const all = await findAllConfigurations(db.read, tenantId)
  const read = [await findConfiguration(db.read, tenantId, 'w'), held, listed, all.find(({ id }) => id === 'w')]
  expect(read.map((each) => each?.settings)).toEqual(Array(4).fill(whole))
})

test('the rules of a wallet get their defaults, however it is read', async () => {
  const row = { tenantId, name: 'W', redirectUris: [], dpopRequired: false, createdAt }
  await db.tx(async (tx) => {
    const attestation = stored({ required: true, challenge: 'always' })
    await tx.insert(oauthClients).values({ ...row, id: 'w', clientId: 'w', attestation })
  })
  const whole = { required: true, dpopRequired: false, rootCertificates: [], challenge: 'always' }
  const [listed] = await listOAuthClients(db.read, tenantId, { limit: 1 })
  const held = await db.tx((tx) => hold(tx, oauthClients, tenantId, 'w'))
  const read = [await findOAuthClient(db.read, tenantId, 'w'), listed, held]
  expect(read.map((each) => each?.attestation)).toEqual(Array(3).fill(whole))
})
