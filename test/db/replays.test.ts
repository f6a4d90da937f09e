import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DeliveryRow, insertDeliveries, newDelivery } from '../../db/repos/operations/webhooks/deliveries.ts'
import { restartDeliveries } from '../../db/repos/operations/webhooks/replays.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { newId } from '../../shared/ids.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

const at = new Date('2026-06-01T12:00:00Z')
const [tenantId, webhookId] = [newId(), newId()]
const generation = 1

let database: OpenDatabase
beforeEach(async () => {
  database = await openNewDatabase()
})
afterEach(() => database.drop())

async function insert(change: Partial<DeliveryRow>): Promise<string> {
  const event = { tenantId, webhookId, eventId: newId(), kind: 'OpenIdCredentialIssued', eventAt: at } as const
  const row = { ...newDelivery({ ...event, subjectKind: 'test', objectId: null }, at), ...change }
  await database.db.tx((tx) => insertDeliveries(tx, [row]))
  return row.id
}

const replay = (state?: 'delivered' | 'failed') =>
  database.db.tx((tx) => restartDeliveries(tx, tenantId, webhookId, { generation, since: at, state, limit: 10 }, at))

async function idsReplayed(state?: 'delivered' | 'failed'): Promise<string[]> {
  const replayed = await replay(state)
  const rows = await database.db.read.select().from(deliveries)
  for (const { id } of replayed)
    expect(rows.find((row) => row.id === id)).toMatchObject({ state: 'pending', generation, queuedUntil: null })
  return replayed.map(({ id }) => id).sort()
}

test.each([['failed' as const], [undefined]])(
  'a replay of %s deliveries includes pending ones of an earlier generation',
  async (state) => {
    const superseded = await insert({ generation: 0 })
    const failed = await insert({ generation: 0, state: 'failed', nextAttemptAt: null, queuedUntil: null })
    await insert({ generation })
    expect(await idsReplayed(state)).toEqual([superseded, failed].sort())
    expect(await replay(state)).toEqual([])
  },
)

test('a replay of delivered deliveries does not change pending ones of an earlier generation', async () => {
  await insert({ generation: 0 })
  const delivered = await insert({ generation: 0, state: 'delivered', nextAttemptAt: null, queuedUntil: null })
  expect(await idsReplayed('delivered')).toEqual([delivered])
})
