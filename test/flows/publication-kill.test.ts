// @module-tag redis

import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { endAllLists } from '../../db/repos/status/lists.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { publishedLists } from '../../db/tables/status/published-lists.ts'
import { systemClock } from '../../shared/clock.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, type ProcessName, startProcesses } from '../harness/processes.ts'
import { openChanges, publishedRow, readList } from '../harness/published.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { seededRandom } from '../harness/seeded-random.ts'
import { type DidDocument, fetchDidDocument, verifyCwt } from '../verifiers/outside-verifiers.ts'
import { collectPatiently } from '../wallets/persistent-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'

/**
 * The number of concurrent issuers and revokers, and the time without a kill after all processes run again. KILL_LANES and KILL_CALM_MS
 * set them. KILL_REPORT prints the totals.
 */
const lanes = Array.from({ length: Number(process.env.KILL_LANES ?? 4) }, (_, lane) => lane)
const calmMs = Number(process.env.KILL_CALM_MS ?? 0)
const victims: ProcessName[] = ['signing', 'worker', 'web', 'signing', 'worker']

let service: Processes
let did: DidDocument
beforeAll(async () => {
  service = await startProcesses({ CREDENTIAL_DEADLINE_MS: '4000' }, { queueIn: 'redis' })
  did = await fetchDidDocument(service.tenant.anonymous)
})
afterAll(() => service?.[Symbol.asyncDispose]())

const printErrorOutput = () => onTestFailed(() => console.error(service.errorOutput().slice(-20_000)))
const context = () => ({ deps: { db: service.db, clock: systemClock } })

interface Place {
  listId: string
  position: number
}
const nameOf = ({ listId, position }: Place) => `${listId} ${position}`

/** True when it was answered; what was not may be done or not. */
async function revoke(credentialId: string): Promise<boolean> {
  const path = `/v2/credentials/compact/${credentialId}/revocation-status`
  const answer = await service.tenant.operator.post(path, { isRevoked: true }).catch(() => undefined)
  return answer?.status === 200
}

/** A credential with its status list and index. */
function saidBy(credential: unknown): Place & { credentialId: string } {
  const { claims } = verifyCwt(credential, did)
  const credentialId = Buffer.from(claims.get(7) as Uint8Array).toString('hex')
  const status = claims.get(-65537) as Map<number, unknown>
  const url = String(status.get(3))
  return {
    credentialId: credentialId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    listId: url.slice(url.lastIndexOf('/') + 1),
    position: Number(status.get(2)),
  }
}

/** The status list and index of a credential. */
async function placeOf(credentialId: string): Promise<Place | undefined> {
  const [row] = await service.db.read
    .select({ listId: statusEntries.listId, position: statusEntries.position })
    .from(statusEntries)
    .where(and(eq(statusEntries.tenantId, service.tenant.id), eq(statusEntries.credentialId, credentialId)))
  return row
}

async function versionsOf(listIds: Iterable<string>): Promise<[string, number][]> {
  const { listId, version } = publishedLists
  const rows = await service.db.read
    .select({ listId, version })
    .from(publishedLists)
    .where(inArray(listId, [...listIds]))
  return rows.map((row) => [row.listId, row.version])
}

test('whichever process is killed, no index is allocated twice, every answered change is published, and versions only increase', async () => {
  printErrorOutput()
  const random = seededRandom()
  const { tenant, db } = service
  const configurationId = await compactConfiguration(tenant, { revocable: true })
  const listId = await newList(context(), tenant.id)
  const made = await newCredentials(context(), tenant.id, { listId, count: 2_500 * lanes.length })
  // All its indexes are allocated, so the next credentials use the next list.
  await db.tx(endAllLists)
  const lists = new Set([listId])
  const held: Place[] = []
  const asked: Place[] = []
  const answered: Place[] = []
  const unexpected: unknown[] = []
  let isOver = false

  const revokeAt = async (credentialId: string, place: Place) => {
    asked.push(place)
    if (await revoke(credentialId)) answered.push(place)
    // Without a listener it fails at once.
    else await sleep(20)
  }
  const revoker = async (part: number) => {
    for (const each of made.filter(({ position }) => position % lanes.length === part)) {
      if (isOver) return
      await revokeAt(each.credentialId, { listId, position: each.position })
    }
  }
  const issuer = async () => {
    const key = await newHolderKey()
    while (!isOver) {
      const collected = await collectPatiently(service, [configurationId], key)
      unexpected.push(...collected.unexpected)
      for (const { credentialId, ...place } of [...collected.held.values()].map(saidBy)) {
        held.push(place)
        lists.add(place.listId)
        expect(await placeOf(credentialId)).toEqual(place)
        await revokeAt(credentialId, place)
      }
    }
  }
  const seen = new Map<string, number[]>()
  const watcher = async () => {
    for (; !isOver; await sleep(20))
      for (const [id, version] of await versionsOf(lists)) seen.set(id, [...(seen.get(id) ?? []), version])
  }
  const startedAt = performance.now()
  const running = Promise.all([...lanes.map(revoker), ...lanes.map(issuer), watcher()])
  await eventually(async () => (seen.get(listId)?.at(-1) ?? 1) > 1)
  const starting: Promise<void>[] = []
  for (const victim of victims) {
    const before = { answered: answered.length, held: held.length }
    // As fast as the machine can while some of the processes start.
    await eventually(async () => answered.length > before.answered + 20 && held.length > before.held)
    await sleep(calmMs + random() * 500)
    await service.kill(victim)
    // One that is killed again while it starts has not started.
    starting.push(service.start(victim).catch(() => undefined))
  }
  await Promise.all(starting)
  isOver = true
  await running
  const seconds = (performance.now() - startedAt) / 1000
  if (process.env.KILL_REPORT) console.log({ seconds, issued: held.length, revoked: answered.length })
  for (const each of lists) await eventually(async () => (await openChanges(db, each)) === 0)

  expect(unexpected).toEqual([])
  expect(new Set(held.map(nameOf)).size).toBe(held.length)
  for (const versions of seen.values()) expect(versions).toEqual(versions.toSorted((one, other) => one - other))
  const publicNames = new Set<string>()
  for (const each of lists) {
    const { version, content } = await publishedRow(db, tenant.id, each)
    // The first was published before anything was killed, and once more afterwards.
    expect(version).toBeGreaterThan(each === listId ? 2 : 1)
    for (const position of readList(content, did).positions) publicNames.add(nameOf({ listId: each, position }))
  }
  expect(answered.filter((place) => !publicNames.has(nameOf(place)))).toEqual([])
  const requestNames = new Set(asked.map(nameOf))
  expect([...publicNames].filter((name) => !requestNames.has(name))).toEqual([])
})

// The test has the write lock while the job becomes active, and reads the lock in Redis.
test('a list whose publisher was killed is published by the next one after the lock of 2 s', async () => {
  printErrorOutput()
  const { tenant, db, bus } = service
  const listId = await newList(context(), tenant.id)
  const made = await newCredentials(context(), tenant.id, { listId, count: 20 })
  let release: (() => Promise<void>) | undefined
  for (const { credentialId } of made) {
    expect(await revoke(credentialId)).toBe(true)
    release = await holdPublished(listId)
    if (release) break
  }
  const job = () => bus.queue('signing-bulk').getJob(`list-${listId}`)
  await eventually(async () => (await job())?.isActive())
  // Another worker takes over the job when this lock has expired. The default of BullMQ is 30 s.
  const queue = bus.queue('signing-bulk')
  const redis = queue.opts.connection as Redis
  const lockMs = await redis.pttl(`${queue.toKey(`list-${listId}`)}:lock`)
  expect(lockMs).toBeGreaterThan(0)
  expect(lockMs).toBeLessThanOrEqual(2_000)
  await service.kill('signing')
  await release?.()
  await service.start('signing')
  await eventually(async () => (await openChanges(db, listId)) === 0)
})

/** Keeps a list from being published until it is released; undefined when it has been published already. */
async function holdPublished(listId: string): Promise<(() => Promise<void>) | undefined> {
  const [held, released] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()]
  const { version, listId: id } = publishedLists
  const holding = service.db.tx(async (tx) => {
    await tx
      .update(publishedLists)
      .set({ version: sql`${version}` })
      .where(eq(id, listId))
    const isOpen = (await tx.$count(statusChanges, eq(statusChanges.listId, listId))) > 0
    held.resolve(isOpen)
    if (isOpen) await released.promise
  })
  holding.catch(held.reject)
  if (!(await held.promise)) return undefined
  return () => {
    released.resolve()
    return holding
  }
}
