import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cancelSigned,
  deleteSigned,
  findSignedBefore,
  holdSigned,
  insertSigned,
} from '../../db/repos/credentials/signed.ts'
import { deleteStored, findStored, insertStored, listStored } from '../../db/repos/credentials/stored.ts'
import { findStatus, setStatuses } from '../../db/repos/status/entries.ts'
import { hasListsOf } from '../../db/repos/status/lists.ts'
import { type OpenDatabase, openNewDatabase, vacuum } from '../harness/database.ts'
import { plansOf, scansIn } from './plans.ts'

const at = new Date()
const tenantId = randomUUID()
const ids = Array.from({ length: 300 }, () => randomUUID())
const profile = 'web-semantic' as const
let database: OpenDatabase

beforeAll(async () => {
  database = await openNewDatabase()
  const credential = { issuanceDate: at.toISOString(), type: ['VerifiableCredential', 'Course'] }
  await database.db.tx(async (tx) => {
    await insertSigned(
      tx,
      ids.map((id) => ({ id, tenantId, profile, issuedAt: at, signerId: null })),
    )
    await insertStored(
      tx,
      ids.map((id) => ({
        id,
        tenantId,
        profile,
        userId: null,
        tag: 'spring',
        credential,
        types: credential.type,
        createdAt: at,
      })),
    )
  })
  for (const table of ['signed_credentials', 'stored_credentials', 'stored_credential_types'])
    await vacuum(table, database.url)
})
afterAll(() => database.drop())

test('all queries of directly signed or stored credentials use indexes', async () => {
  const [id, other] = [ids[0]!, ids[1]!]
  const page = { limit: 10, cursor: { at, id: '' } }
  const plans = await plansOf(database.url, async (tx) => {
    await findSignedBefore(tx, tenantId, [id, other])
    await holdSigned(tx, tenantId, [id, other])
    await findStatus(tx, tenantId, id)
    await setStatuses(tx, tenantId, [id], { status: 'invalid', at })
    expect(await listStored(tx, tenantId, profile, page)).toHaveLength(11)
    expect(await listStored(tx, tenantId, profile, { ...page, tag: 'spring' })).toHaveLength(11)
    expect(await listStored(tx, tenantId, profile, { ...page, type: 'Course' })).toHaveLength(11)
    expect(await listStored(tx, tenantId, profile, { ...page, type: 'Course', tag: 'spring' })).toHaveLength(11)
    await findStored(tx, tenantId, id, profile)
    await hasListsOf(tx, tenantId, 'did:web:example.org')
    await cancelSigned(tx, tenantId, { id: other, profile, issuedAt: at }, at)
    await deleteStored(tx, tenantId, id)
    expect(await deleteSigned(tx, tenantId, id, profile)).toBe(true)
  })
  expect(plans.length).toBeGreaterThanOrEqual(12)
  // The ids that are given are read one by one.
  const otherPlans = plans.map((plan) => plan.replaceAll(/^ *SCAN json_each .*$/gm, ''))
  expect(scansIn(otherPlans.filter((plan) => !plan.startsWith('insert')))).toEqual([])
  expect(plans.filter((plan) => /TEMP B-TREE|Sort/.test(plan) && /stored_credential/.test(plan))).toEqual([])
})
