import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { findDueSenders, freeQueuedLines, takeDueLines } from '../../db/repos/messaging/due-lines.ts'
import { findInboxesFor, findUnproven, registerDid } from '../../db/repos/messaging/inbox-dids.ts'
import { findInboxMessage, listInboxMessages, putMessage } from '../../db/repos/messaging/inbox-messages.ts'
import { insertInbox } from '../../db/repos/messaging/inboxes.ts'
import { countWaitingIn, countWaitingOf, findFirstOf, holdLineTo } from '../../db/repos/messaging/outgoing-messages.ts'
import { inboxMessages } from '../../db/tables/messaging/inbox-messages.ts'
import { plusMs } from '../../shared/clock.ts'
import { type OpenDatabase, openNewDatabase, vacuum } from '../harness/database.ts'
import { newJwe, newMessage } from '../wallets/messages.ts'
import { plansOf, scansIn } from './plans.ts'

const at = new Date()
const tenantId = randomUUID()
const ids = Array.from({ length: 400 }, () => randomUUID())
let database: OpenDatabase
let inboxId: string

beforeAll(async () => {
  database = await openNewDatabase()
  await database.db.tx(async (tx) => {
    for (const id of ids) await registerDid(tx, id, { inboxId: id, did: `did:web:${id}.example`, provenAt: at, at })
    inboxId = (await insertInbox(tx, tenantId, 'Desk', at)).id
    const row = { tenantId, inboxId, recipient: 'did:example:bob', message: newJwe(500), sizeBytes: 900, expiresAt: at }
    await tx
      .insert(inboxMessages)
      .values(ids.map((id, place) => ({ ...row, id, sha256: id, createdAt: plusMs(at, place) })))
  })
  for (const table of ['inbox_messages', 'inbox_dids']) await vacuum(table, database.url)
})
afterAll(() => database.drop())

test('all queries of messages use indexes, and one index contains the sizes of an inbox', async () => {
  const [id, did] = [ids[0]!, 'did:example:bob']
  const plans = await plansOf(database.url, async (tx) => {
    expect(await putMessage(tx, tenantId, inboxId, newMessage(did))).toBe('taken')
    expect((await listInboxMessages(tx, tenantId, inboxId, 10, { at, id: '' })).rows).toHaveLength(10)
    expect(await findInboxMessage(tx, tenantId, inboxId, id)).toBeDefined()
    await findInboxesFor(tx, tenantId, did)
    await findUnproven(tx, did)
    await holdLineTo(tx, tenantId, did)
    await countWaitingOf(tx, tenantId, 10)
    await countWaitingIn(tx, tenantId, id, 10)
    await findFirstOf(tx, tenantId, id)
    await takeDueLines(tx, tenantId, at, 10)
    await freeQueuedLines(tx, at, 10)
    await findDueSenders(tx, at, 10)
  })
  expect(plans.length).toBeGreaterThanOrEqual(15)
  const otherPlans = plans.map((plan) => plan.replaceAll(/^ *SCAN (json_each|waiting|waiting_tenants).*$/gm, ''))
  expect(scansIn(otherPlans.filter((plan) => !plan.startsWith('insert')))).toEqual([])
  if (dialect === 'postgres') return // It keeps large values apart.
  const sizes = plans.filter((plan) => /"size_bytes"/.test(plan) && !/"message"/.test(plan))
  expect(sizes).toHaveLength(2)
  for (const plan of sizes) expect(plan).toContain('COVERING INDEX inbox_messages_page')
})
