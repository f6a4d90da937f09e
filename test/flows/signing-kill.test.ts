import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { signedCredentials } from '../../db/tables/credentials/signed-credentials.ts'
import { storedCredentials } from '../../db/tables/credentials/stored-credentials.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { eventually, type TestTenant } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { sign } from '../harness/signing.ts'

let service: Processes
beforeAll(async () => {
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '5000' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const victims: ProcessName[] = ['signing', 'web']

interface Answered {
  id: string
  index: number
  listId: string
}

/** Has credentials signed, one after the other, until it is over; what was answered is kept. */
async function signUntil(tenant: TestTenant, answered: Answered[], refused: number[], isOver: () => boolean) {
  while (!isOver()) {
    const answer = await sign(tenant, 'web-semantic', { persist: true, revocable: true }).catch(() => undefined)
    if (answer?.status !== 200) {
      if (answer) refused.push(answer.status)
      await sleep(20)
      continue
    }
    const { id, credentialStatus } = answer.body
    const listId = credentialStatus.revocationListCredential.split('/').at(-1)
    answered.push({ id, listId, index: Number(credentialStatus.revocationListIndex) })
  }
}

test('whichever process is killed, every answered credential has its record and its index, and a refused one has none', async () => {
  onTestFailed(() => console.error(service.errorOutput().slice(-10_000)))
  const random = seededRandom()
  const { db, tenant } = service
  const answered: Answered[] = []
  const refused: number[] = []
  let isOver = false
  const running = [1, 2, 3].map(() => signUntil(tenant, answered, refused, () => isOver))
  let lost = 0
  /** Until some more were answered. */
  const goesOn = async () => {
    const before = answered.length
    await eventually(async () => answered.length > before + running.length)
  }
  for (const victim of victims) {
    await goesOn()
    await sleep(random() * 300)
    await service.kill(victim)
    // Each of the three can have sent its request to a web process that died.
    if (victim === 'web') lost += running.length
    await service.start(victim)
  }
  await goesOn()
  isOver = true
  await Promise.all(running)

  expect(refused.filter((status) => status !== 503)).toEqual([])
  const rows = await db.read.select().from(signedCredentials)
  const records = new Set(rows.filter(({ cancelledAt }) => cancelledAt === null).map(({ id }) => id))
  const entries = (await db.read.select().from(statusEntries)).filter(({ credentialId }) => credentialId !== null)
  const kept = await db.read.select({ id: storedCredentials.id }).from(storedCredentials)
  expect(new Set(answered.map(({ id }) => id)).size).toBe(answered.length)
  const places = new Map(entries.map((entry) => [entry.credentialId, entry]))
  for (const { id, listId, index } of answered) {
    expect(records).toContain(id)
    expect(places.get(id)).toMatchObject({ listId, position: index, status: 'valid' })
  }
  // Each record has one entry and its credential. Only requests to a process that died can lack a response.
  expect(entries.map(({ credentialId }) => credentialId).sort()).toEqual([...records].sort())
  expect(kept.map(({ id }) => id).sort()).toEqual([...records].sort())
  expect(records.size - answered.length).toBeLessThanOrEqual(lost)
})
