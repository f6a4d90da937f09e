import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reader } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { appendToAudit, beginAudit } from '../../db/repos/operations/audit/audit.ts'
import { findLastStatusChange } from '../../db/repos/operations/audit/audit-objects.ts'
import { findStatus, setStatuses } from '../../db/repos/status/entries.ts'
import { findListConfigurationFor } from '../../db/repos/status/list-configurations.ts'
import { findReadableTokenLists } from '../../db/repos/status/published-lists.ts'
import {
  endPublication,
  findChangedLists,
  findChanges,
  findListsToRenew,
  findListToPublish,
  findSetPositions,
  findSetStatuses,
  publishVersion,
  resignListsOfSigner,
} from '../../db/repos/status/publishing.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { newId } from '../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase, vacuum } from '../harness/database.ts'
import { newRevocable, versionOf } from '../harness/revocable.ts'
import { plansOf, rowsReadBy, scansIn } from './plans.ts'

const at = new Date()
const tenantId = newId()
let database: OpenDatabase
let listId: string
let credentialId: string
beforeAll(async () => {
  database = await openNewDatabase()
  const context = { deps: { db: database.db, clock: { now: () => at } } }
  ;({ listId, credentialId } = await newRevocable(context, tenantId))
})
afterAll(() => database.drop())

test('all queries of a status and its publication use indexes', async () => {
  const plans = await plansOf(database.url, async (tx) => {
    await findStatus(tx, tenantId, credentialId)
    await setStatuses(tx, tenantId, [credentialId], { status: 'invalid', at })
    await findListsToRenew(tx, at, 10)
    await findListConfigurationFor(tx, tenantId, 'Licence')
    await findSetStatuses(tx, tenantId, listId, -1, 10)
    await findReadableTokenLists(tx, tenantId, ['mobile'], at)
    await resignListsOfSigner(tx, tenantId, newId(), at)
    await endPublication(tx, tenantId, newId())
    await findListToPublish(tx, tenantId, listId)
    const changeIds = await findChanges(tx, tenantId, listId, 10)
    expect(await findSetPositions(tx, tenantId, listId, -1, 10)).toEqual([0])
    const version = { replaces: 1, changeIds, content: versionOf(Buffer.alloc(1), at) }
    expect(await publishVersion(tx, tenantId, listId, version)).toBe(true)
  })
  expect(plans.length).toBeGreaterThanOrEqual(10)
  // The ids that are given are read one by one, and so are those that an index led to. A tenant has a limited number of webhooks.
  const limited = /^ *(SCAN (json_each .*|page)|SEARCH webhooks USING INDEX webhooks_page .*)$/gm
  expect(scansIn(plans.map((plan) => plan.replaceAll(limited, '')))).toEqual([])
})

test('the last change of a status is one row of the audit, found by its tenant and its id', async () => {
  const owner = newId()
  const ids = Array.from({ length: 300 }, newId)
  await database.db.tx(async (tx) => {
    await beginAudit(tx, owner)
    const entries = ids.map((id) => ({
      tenantId: owner,
      type: 'SET_AUDIT',
      requestId: newId(),
      data: { id },
      objects: { ids: [id], changedByName: 'Ada' },
    }))
    await appendToAudit(tx, entries, at)
  })
  for (const table of ['audit_events', 'audit_objects']) await vacuum(table, database.url)
  const [id = ''] = ids
  const plans = await plansOf(database.url, async (tx) => {
    expect(await findLastStatusChange(tx, owner, id)).toMatchObject({ name: 'Ada' })
  })
  const both =
    dialect === 'postgres' ? /\(tenant_id = [^)]*\) AND \(id = / : /audit_events_id \(tenant_id=\? AND id=\?\)/
  expect(plans).toEqual([expect.stringMatching(both)])
})

test('the set entries of a list are read from the index that contains only these', async () => {
  const [plan] = await plansOf(database.url, (tx) => findSetPositions(tx, tenantId, listId, -1, 10))
  expect(plan).toContain('status_entries_set')
})

/** In the index, from its beginning to its first row alone. */
const wholeReads = /SCAN (this|later)|SCAN status_changes$|Seq Scan/m

test('changed lists are found by a loose index scan', async () => {
  const [plan] = await plansOf(database.url, async (tx) => {
    await findChangedLists(tx)
  })
  expect(plan).not.toMatch(wholeReads)
})

test('a list with a hundred thousand changes is found with as few rows as one with one change', async () => {
  const { db } = database
  const insert = (count: number) =>
    db.tx(async (tx) => {
      for (let from = 0; from < count; from += 5_000) {
        const rows = Array.from({ length: Math.min(count, 5_000) }, () => ({
          id: newId(),
          tenantId,
          listId,
          changedAt: at,
        }))
        await tx.insert(statusChanges).values(rows)
      }
    })
  const find = async (tx: Reader) => {
    expect(await findChangedLists(tx)).toEqual([{ tenantId, listId }])
  }
  await insert(1)
  await insert(100_000)
  await vacuum('status_changes', database.url)
  const [plan = ''] = await plansOf(database.url, find)
  expect(plan).not.toMatch(wholeReads)
  if (dialect !== 'postgres') return
  const rows = await rowsReadBy(database.url, find)
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan(20)
})
