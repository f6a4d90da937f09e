import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { systemClock } from '../../shared/clock.ts'
import { eventually } from '../harness.ts'
import { fetchDidDocument } from '../outside-verifiers.ts'
import { type Processes, type ProcessName, startProcesses } from '../processes.ts'
import { openChanges, publishedRow, readList } from '../published.ts'
import { newCredentials, newList, type Revocable } from '../revocable.ts'

/** What a killed worker was doing is taken over by another after ten seconds and more. */
const drainMs = 60_000
const victims: ProcessName[] = ['signing', 'worker', 'signing', 'web', 'signing', 'worker']

let service: Processes
beforeAll(async () => {
  service = await startProcesses()
}, 120_000)
afterAll(() => service?.[Symbol.asyncDispose]())

test('whichever process is killed, every revocation that was answered is published, and versions only rise', {
  timeout: 240_000,
}, async () => {
  onTestFailed(() => console.error(service.troubles().slice(-20_000)))
  const { tenant, db } = service
  const made = { deps: { db, clock: systemClock } }
  const listId = await newList(made, tenant.id)
  const revocables = await newCredentials(made, tenant.id, { listId, count: 2_000 })
  const did = await fetchDidDocument(tenant.anonymous)
  const answered: number[] = []
  let isOver = false

  const revoke = async ({ credentialId }: Revocable) => {
    const path = `/v2/credentials/compact/${credentialId}/revocation-status`
    const answer = await tenant.operator.post(path, { isRevoked: true }).catch(() => undefined)
    return answer?.status === 200
  }
  const revoker = async (part: number) => {
    for (const each of revocables.filter(({ position }) => position % 4 === part)) {
      if (isOver) return
      if (await revoke(each)) answered.push(each.position)
      await sleep(20)
    }
  }
  const versions: number[] = []
  const watcher = async () => {
    while (!isOver) {
      versions.push((await publishedRow(db, tenant.id, listId)).version)
      await sleep(20)
    }
  }
  const running = [...[0, 1, 2, 3].map(revoker), watcher()]
  for (const victim of victims) {
    await sleep(500 + Math.random() * 1_500)
    await service.kill(victim)
    await service.start(victim)
  }
  isOver = true
  await Promise.all(running)
  await eventually(async () => (await openChanges(db, listId)) === 0, drainMs)

  expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  const { version, content } = await publishedRow(db, tenant.id, listId)
  expect(version).toBeGreaterThan(2)
  const shown = new Set(readList(content, did).positions)
  expect(answered.length).toBeGreaterThan(100)
  expect(answered.filter((position) => !shown.has(position))).toEqual([])
})
