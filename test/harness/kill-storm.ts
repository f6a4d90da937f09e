import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { IssuanceRow } from '../../db/repos/issuance/issuances.ts'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { type IssuedCredential, issuances } from '../../db/tables/issuance/issuances.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { plusMs } from '../../shared/clock.ts'
import { openCredentials } from '../../shared/jobs/answered-credentials.ts'
import { createLog } from '../../shared/log/log.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import { recoverIssuances } from '../../workers/upkeep/recover-issuances.ts'
import type { startReceiver } from '../servers/receiver.ts'
import { type Collected, collectPatiently, persist } from '../wallets/persistent-wallet.ts'
import { newHolderKey } from '../wallets/wallet.ts'
import type { ApiResponse } from './api-client.ts'
import { eventually } from './harness.ts'
import type { Processes, ProcessName } from './processes.ts'
import { seededRandom } from './seeded-random.ts'

/** Jobs that were lost with Redis are queued again after one minute, by a job that runs every 30 seconds. */
const maxRecoveryMs = 240_000

/** A service whose webhook sends all events of these kinds to the receiver. */
export interface KilledService {
  service: Processes
  receiver: Awaited<ReturnType<typeof startReceiver>>
  configurationIds: string[]
  kinds: string[]
}

/**
 * Kills processes at random moments while six wallets collect credentials and an operator works, and then checks that nothing was lost or doubled. The
 * processes of a group are killed one after the other, beside those of the other groups. Redis, if it stores the queues, is in the first
 * group.
 */
export async function surviveKills(
  killed: KilledService,
  [first = [], ...others]: readonly ProcessName[][],
  { times = 3, origins = [killed.service.origin] }: { times?: number; origins?: readonly string[] } = {},
): Promise<void> {
  const { service, configurationIds } = killed
  const random = seededRandom()
  let isOver = false
  const keys = await Promise.all(Array.from({ length: 6 }, () => newHolderKey()))
  const repeat = async <Result>(work: () => Promise<Result>): Promise<Result[]> => {
    const results: Result[] = []
    // Restarts are as fast as on a machine that is not busy.
    for (; !isOver; await sleep(50)) results.push(await work())
    return results
  }
  /** The wallets use the origins in turn. */
  const viaOrigin = (index: number) => ({
    tenant: service.tenant,
    origin: origins[index % origins.length] ?? service.origin,
  })
  const redis = service.config.queueIn === 'redis' ? ['redis' as const] : []
  const groups = [[...first, ...redis], ...others]
  const killing = Promise.all(groups.map((names) => killByTurns(service, names, { times, random }))).finally(() => {
    isOver = true
  })
  const [collected, operations, kills] = await Promise.all([
    Promise.all(keys.map((key, index) => repeat(() => collectPatiently(viaOrigin(index), configurationIds, key)))),
    repeat(createOperator(service)),
    killing,
  ])
  const all = collected.flat()
  console.info({ kills, offers: all.length, operations: operations.flat().length })
  await expectNothingLost(all, killed)
  expect(operations.flat().filter(({ status }) => status >= 300)).toEqual([])
  const lines = service.errorOutput().split('\n')
  expect(lines.filter((line) => /"level":50.*"process":"web"|ended by [^S]/.test(line))).toEqual([])
}

/** Waits until all accepted work is done. What wallets have is then what rows and webhooks have, each credential once. */
export async function expectNothingLost(all: Collected[], killed: KilledService): Promise<void> {
  await drain(killed.service)
  expect(all.flatMap(({ unexpected }) => unexpected)).toEqual([])
  await expectRecordsOf(all, killed)
  await expectOneEventEach(killed)
}

/** Returns a function that does the work of an operator, which needs no signature. */
function createOperator({ tenant: { operator } }: Processes): () => Promise<ApiResponse[]> {
  /** Created once and then changed: a tenant has a thousand at most. */
  let courseId: string | undefined
  return async () => {
    const user = await persist(() => operator.post('/v1/users', { claims: { given_name: 'Ada' } }))
    const path = '/v2/credentials/web-semantic/configurations'
    const configuration = {
      name: 'Course',
      type: 'Course',
      issuer: { name: 'University' },
      claimMappings: { level: { defaultValue: 'B1' } },
    }
    const saved = await persist(() =>
      courseId ? operator.put(`${path}/${courseId}`, configuration) : operator.post(path, configuration),
    )
    courseId ??= saved.body.id
    return [
      user,
      saved,
      await persist(() => operator.get(`/v1/users/${user.body.id}`)),
      await persist(() => operator.get('/v1/users?limit=5')),
      await persist(() => operator.post('/v1/users/search', { claims: { given_name: 'Ada' }, limit: 5 })),
      await persist(() => operator.put(`/v1/users/${user.body.id}`, { claims: { given_name: 'Grace' } })),
      await persist(() => operator.get('/v2/credentials/compact/configurations?limit=5')),
    ]
  }
}

/** By turns, at random moments. */
async function killByTurns(
  service: Processes,
  names: (ProcessName | 'redis')[],
  { times, random }: { times: number; random: () => number },
): Promise<string> {
  const killed: string[] = []
  const first = Math.floor(random() * names.length)
  for (let turn = 0; turn < times * names.length; turn++) {
    const name = names[(first + turn) % names.length] ?? 'web'
    await sleep(200 + random() * 1_500)
    await service.kill(name)
    killed.push(name)
    await sleep(random() * 500)
    await service.start(name)
  }
  return killed.join(' ')
}

/** All accepted work is done, and requests without a waiting process are cancelled. */
async function drain(service: Processes): Promise<void> {
  const { read } = service.db
  await eventually(async () => (await read.$count(outbox)) === 0, maxRecoveryMs)
  await eventually(async () => (await read.$count(deliveries, eq(deliveries.state, 'pending'))) === 0, maxRecoveryMs)
  const later = { now: () => plusMs(new Date(), 10 * 60_000) }
  const log = createLog({ process: 'test', level: 'silent', pretty: false })
  await recoverIssuances({ db: service.db, bus: service.bus, clock: later, log })
  expect(await read.$count(issuances, eq(issuances.state, 'requested'))).toBe(0)
}

/** Each offer has at most one issued credential per configuration, and each wallet has the recorded credential. */
async function expectRecordsOf(all: Collected[], { service, configurationIds }: KilledService): Promise<void> {
  const issued = await service.db.read.select().from(issuances).where(eq(issuances.state, 'issued'))
  const byOffer = Map.groupBy(issued, ({ offerId }) => offerId)
  for (const rows of byOffer.values()) {
    expect(new Set(rows.map(({ configurationId }) => configurationId)).size).toBe(rows.length)
  }
  for (const { offerId, held } of all) {
    const recorded = (byOffer.get(offerId) ?? []).map((row) => [
      row.configurationId,
      credentialIn(service.secrets, row),
    ])
    expect([...held.keys()].sort()).toEqual([...configurationIds].sort())
    expect(recorded.toSorted()).toEqual([...held].toSorted())
  }
}

/** Each credential was delivered under one event id for each kind, and nothing else was. */
async function expectOneEventEach({ service, receiver, kinds }: KilledService): Promise<void> {
  const rows = await service.db.read.select({ id: credentials.id }).from(credentials)
  const expected = rows.flatMap(({ id }) => kinds.map((kind) => `${id} ${kind}`))
  const eventIds = new Map<string, Set<string>>()
  for (const { body } of receiver.deliveries) {
    const name = `${body.event.payload.credentialId} ${body.event.type}`
    eventIds.set(name, (eventIds.get(name) ?? new Set()).add(body.event.id))
  }
  expect([...eventIds.keys()].sort()).toEqual(expected.sort())
  const ids = [...eventIds.values()].flatMap((each) => [...each])
  expect(ids.length).toBe(expected.length)
  expect(new Set(ids).size).toBe(expected.length)
  // The result of a delivery is stored after its answer.
  const isDelivered = eq(deliveries.state, 'delivered')
  await expect.poll(async () => service.db.read.$count(deliveries, isDelivered)).toBe(expected.length)
}

export function credentialIn(secrets: Secrets, { id, credentials }: IssuanceRow): unknown {
  return openCredentials<IssuedCredential>(secrets, id, credentials ?? [])[0]?.credential
}
