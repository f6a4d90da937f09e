import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { findBulkIssuance, removeBulkIssuance } from '../../db/repos/issuance/bulk/bulk-issuances.ts'
import { purgeBulkIssuances } from '../../db/retention/bulk-removal.ts'
import { bulkIssuances } from '../../db/tables/issuance/bulk-issuances.ts'
import { claimLinks } from '../../db/tables/issuance/claim-links.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createClaimLinks, insertBulkOfLinks } from '../harness/claim-links.ts'
import { openNewDatabase } from '../harness/database.ts'

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

const at = new Date('2026-01-01T12:00:00.000Z')
const secrets = createSecrets([Buffer.alloc(32, 7)])
const tenant = { id: newId(), baseUrl: 'https://t.example', sealedSecret: null }

/** A bulk issuance with links that was removed some seconds after the others. */
async function newRemoved(rows: number, { seconds = 0, sizeBytes = rows * 100 } = {}): Promise<string> {
  const id = newId()
  const links = Array.from({ length: rows }, (_, row) => ({
    ...{ bulkId: id, row: row + 1, configurationIds: ['c'], claims: {}, expiresAt: plusMs(at, dayMs) },
  }))
  await db.tx(async (tx) => {
    await insertBulkOfLinks(tx, tenant.id, id, at)
    await tx.update(bulkIssuances).set({ total: rows, sizeBytes }).where(eq(bulkIssuances.id, id))
    await createClaimLinks(tx, tenant, links, { secrets, at })
    await removeBulkIssuance(tx, tenant.id, id, plusMs(at, seconds * 1_000))
  })
  return id
}

const purge = (limit = 100) => db.tx((tx) => purgeBulkIssuances(tx, plusMs(at, 60_000), limit))
const linksOf = (id: string) => db.read.$count(claimLinks, eq(claimLinks.bulkId, id))
const isStored = async (id: string) => (await db.read.$count(bulkIssuances, eq(bulkIssuances.id, id))) > 0

test('a small removed bulk issuance does not wait for a large one that was removed before', async () => {
  const large = await newRemoved(350)
  const [small, upload] = [
    await newRemoved(2, { seconds: 1 }),
    await newRemoved(0, { seconds: 2, sizeBytes: 90_000_000 }),
  ]
  expect(await findBulkIssuance(db.read, tenant.id, large)).toBeUndefined()
  for (let count = 0; await isStored(small); count++) {
    expect(await linksOf(large)).toBe(350)
    expect(count).toBeLessThan(3)
    expect(await purge()).toBe(100)
  }
  expect(await linksOf(small)).toBe(0)
  for (let count = 0; await isStored(large); count++) {
    expect(count).toBeLessThan(6)
    expect(await isStored(upload)).toBe(true)
    expect(await purge()).toBe(100)
  }
  expect([await purge(), await purge(), await isStored(upload)]).toEqual([100, 0, false])
})
