import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sentMarks } from '../../../api/issuance/credential/sent-marks.ts'
import type { Database } from '../../../db/client.ts'
import { issuances } from '../../../db/tables/issuance/issuances.ts'
import { sessions } from '../../../db/tables/issuance/sessions.ts'
import { plusMs, systemClock } from '../../../shared/clock.ts'
import { createLog } from '../../../shared/log/log.ts'
import { openNewDatabase } from '../../harness/database.ts'

const at = new Date('2025-06-30T23:59:59.987Z')
const tenantId = 't'
const log = createLog({ process: 'test', level: 'silent', pretty: false })

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
})
afterAll(() => drop())

/** A database that can fail. */
function unreliable() {
  const state = { isAway: true }
  const tx: Database['tx'] = async (work) => {
    if (state.isAway) throw new Error('the database is away')
    return db.tx(work)
  }
  return { state, marks: sentMarks.create({ db: { ...db, tx }, clock: systemClock, log } as never) }
}

async function newRows(count: number): Promise<{ id: string; sessionId: string }[]> {
  const rows = Array.from({ length: count }, () => ({ id: randomUUID(), sessionId: randomUUID() }))
  const common = { tenantId, userId: 'u' }
  await db.tx(async (tx) => {
    for (const { id, sessionId } of rows) {
      const session = { configurationIds: [], credentialIdentifiers: {}, tokenHash: '', expiresAt: plusMs(at, 1) }
      await tx.insert(sessions).values({ ...common, ...session, id: sessionId, createdAt: at })
      const issuance = { sessionId, configurationId: 'c', state: 'issued' as const, holderKeys: [], requestedAt: at }
      await tx.insert(issuances).values({ ...common, ...issuance, id })
    }
  })
  return rows
}

test('marks whose write failed are written with the next marks', async () => {
  const { state, marks } = unreliable()
  const [first, second, third] = await newRows(3)
  marks.token(first!.sessionId)
  marks.credentials({ ...second!, deferredAt: at })
  await marks.flush()
  state.isAway = false
  marks.token(third!.sessionId)
  await marks.close()

  const ids = [first!, second!, third!].map(({ sessionId }) => sessionId)
  const rows = await db.read.select().from(sessions).where(inArray(sessions.id, ids))
  const sent = rows.filter(({ sentAt }) => sentAt !== null).map(({ id }) => id)
  expect(sent.sort()).toEqual([first!.sessionId, third!.sessionId].sort())
  const [issuance] = await db.read
    .select()
    .from(issuances)
    .where(inArray(issuances.id, [second!.id]))
  expect(issuance?.deliveredAt).toEqual(expect.any(Date))
})

test('the oldest marks are dropped when there are more than the limit', async () => {
  const { state, marks } = unreliable()
  const [oldest, newest] = await newRows(2)
  marks.token(oldest!.sessionId)
  for (let count = 1; count < 50_000; count++) marks.token(String(count))
  marks.token(newest!.sessionId)
  await marks.flush()
  state.isAway = false
  await marks.close()
  const ids = [oldest!, newest!].map(({ sessionId }) => sessionId)
  const rows = await db.read.select().from(sessions).where(inArray(sessions.id, ids))
  expect(rows.find(({ id }) => id === oldest!.sessionId)?.sentAt).toBeNull()
  expect(rows.find(({ id }) => id === newest!.sessionId)?.sentAt).toEqual(expect.any(Date))
})
