import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdmission } from '../../../api/http/admission.ts'
import { createSlot } from '../../../api/http/slot.ts'
import { bindDeps } from '../../../api/process/bind-deps.ts'
import { type StatusChange, statusSetter } from '../../../api/status/revocation/status-changes.ts'
import type { Database } from '../../../db/client.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { checkChains } from '../../../db/repos/operations/audit/audit-chain.ts'
import { setStatuses } from '../../../db/repos/status/entries.ts'
import { credentials } from '../../../db/tables/issuance/credentials.ts'
import { auditEvents } from '../../../db/tables/operations/audit-events.ts'
import { statusChanges } from '../../../db/tables/status/changes.ts'
import { statusEntries } from '../../../db/tables/status/entries.ts'
import { type Deadline, noDeadline } from '../../../shared/deadline.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { newCredentials, newList, newRevocable } from '../../harness/revocable.ts'

let service: Service
beforeAll(async () => {
  // No publishing worker runs, so that changes stay stored.
  service = await startService({ roles: ['signing', 'relay', 'analytics'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const profiles = ['compact', 'compact-semantic', 'web-semantic'] as const
const pathOf = (profile: string, id: string) => `/v2/credentials/${profile}/${id}/revocation-status`

function changesOf(listId: string): Promise<number> {
  return service.deps.db.read.$count(statusChanges, eq(statusChanges.listId, listId))
}

async function recordOf(id: string) {
  const { read } = service.deps.db
  const [record] = await read.select({ status: credentials.status }).from(credentials).where(eq(credentials.id, id))
  const [entry] = await read
    .select({ status: statusEntries.status })
    .from(statusEntries)
    .where(and(eq(statusEntries.tenantId, service.id), eq(statusEntries.credentialId, id)))
  return [record?.status, entry?.status]
}

describe.each(profiles)('%s', (profile) => {
  const answerOf = (id: string, isRevoked: boolean) => (profile === 'web-semantic' ? undefined : { id, isRevoked })

  test('a credential is revoked and restored, and the credentials of the user show it', async () => {
    const { operator } = service
    const { body: user } = await operator.post('/v1/users', { claims: {} })
    const listId = await newList(service, service.id, profile)
    const [made] = await newCredentials(service, service.id, { profile, listId, userId: user.id })
    const id = made!.credentialId
    const seen = async () => {
      const { body } = await operator.get(pathOf(profile, id))
      const { body: records } = await operator.get(`/v1/users/${user.id}/credentials`)
      return [body, records.data[0].status]
    }
    expect(await seen()).toEqual([{ isRevoked: false }, 'valid'])
    const revoked = await operator.post(pathOf(profile, id), { isRevoked: true })
    expect(revoked).toMatchObject({ status: 200 })
    expect(revoked.body).toEqual(answerOf(id, true))
    expect(await seen()).toEqual([{ isRevoked: true }, 'invalid'])
    const restored = await operator.post(pathOf(profile, id), { isRevoked: false })
    expect(restored).toMatchObject({ status: 200 })
    expect(restored.body).toEqual(answerOf(id, false))
    expect(await seen()).toEqual([{ isRevoked: false }, 'valid'])
    expect(await changesOf(listId)).toBe(2)
  })

  test('a credential that is not revocable answers 404 with the reason', async () => {
    const [made] = await newCredentials(service, service.id, { profile })
    const id = made!.credentialId
    const refused = {
      status: 404,
      body: {
        code: 'NotFound',
        message: 'Resource Not Found',
        details: [{ msg: 'This credential is not revocable', param: 'id', location: 'params', value: id }],
      },
    }
    expect(await service.operator.post(pathOf(profile, id), { isRevoked: true })).toMatchObject(refused)
    expect(await service.operator.get(pathOf(profile, id))).toMatchObject(refused)
    expect(await recordOf(id)).toEqual(['valid', undefined])
  })

  test('the routes of another profile do not find the credential', async () => {
    const { credentialId: id, listId } = await newRevocable(service, service.id, profile)
    for (const other of profiles.filter((each) => each !== profile)) {
      const unknown = { status: 404, body: { details: [{ msg: 'Resource Not Found', param: 'id' }] } }
      expect(await service.operator.post(pathOf(other, id), { isRevoked: true })).toMatchObject(unknown)
      expect(await service.operator.get(pathOf(other, id))).toMatchObject(unknown)
    }
    expect(await recordOf(id)).toEqual(['valid', 'valid'])
    expect(await changesOf(listId)).toBe(0)
  })
})

test('a repeated status is one change', async () => {
  const { credentialId: id, listId } = await newRevocable(service, service.id)
  for (let time = 0; time < 3; time++) {
    expect(await service.operator.post(pathOf('compact', id), { isRevoked: true })).toMatchObject({ status: 200 })
  }
  expect(await changesOf(listId)).toBe(1)
  await service.operator.post(pathOf('compact', id), { isRevoked: false })
  await service.operator.post(pathOf('compact', id), { isRevoked: false })
  expect(await changesOf(listId)).toBe(2)
})

test.each([{}, { isRevoked: 'yes' }, { isRevoked: null }])('%o has no status', async (body) => {
  const { credentialId: id } = await newRevocable(service, service.id)
  const answer = await service.operator.post(pathOf('compact', id), body)
  expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'isRevoked', location: 'body' }] } })
  expect(await recordOf(id)).toEqual(['valid', 'valid'])
})

test('events contain the status change and its request', async () => {
  const { credentialId: id } = await newRevocable(service, service.id, 'web-semantic')
  const { headers } = await service.operator.post(pathOf('web-semantic', id), { isRevoked: true })
  const requestId = headers['x-request-id']
  const types = await eventually(async () => {
    const { body } = await service.operator.get(`/v1/events?requestIds=${requestId}`)
    return body.data.length === 3 && body.data.map(({ type }: { type: string }) => type).sort()
  })
  const prefix = 'CREDENTIAL_WEB_SEMANTIC_REVOCATION_SET_STATUS'
  expect(types).toEqual([`${prefix}_AUDIT`, `${prefix}_START`, `${prefix}_SUCCESS`])
})

test('many statuses are set at once, and the result names those that cannot be set', async () => {
  const { deps } = service
  const [one, two] = [await newList(service, service.id), await newList(service, service.id)]
  const first = await newCredentials(service, service.id, { listId: one, count: 1_200 })
  const second = await newCredentials(service, service.id, { listId: two, count: 3 })
  const fixed = await newCredentials(service, service.id, { count: 2 })
  const foreign = await newRevocable(service, (await service.addTenant()).id)
  const idsOf = (made: { credentialId: string }[]) => made.map(({ credentialId }) => credentialId)
  const set = (ids: string[], status: 'valid' | 'invalid') =>
    deps.db.tx((tx) => setStatuses(tx, service.id, ids, { status, at: deps.clock.now() }))
  await set(idsOf(first).slice(0, 200), 'invalid')
  expect(await changesOf(one)).toBe(1)

  const all = [...idsOf(first), ...idsOf(second), ...idsOf(fixed), foreign.credentialId]
  const result = await set(all, 'invalid')
  expect(result.changed.toSorted()).toEqual([...idsOf(first).slice(200), ...idsOf(second)].sort())
  expect(result.notRevocable.toSorted()).toEqual(idsOf(fixed).sort())
  expect(result.unknown).toEqual([foreign.credentialId])
  expect([await changesOf(one), await changesOf(two)]).toEqual([2, 1])
  expect(await set(all, 'invalid')).toMatchObject({ changed: [] })
  expect(await recordOf(first[700]!.credentialId)).toEqual(['invalid', 'invalid'])
})

test('of concurrent requests for one credential, one changes it', async () => {
  for (let round = 0; round < 20; round++) {
    const { credentialId: id, listId } = await newRevocable(service, service.id)
    const revoke = () => service.operator.post(pathOf('compact', id), { isRevoked: true })
    const answers = await Promise.all(Array.from({ length: 8 }, revoke))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect([await changesOf(listId), await recordOf(id)]).toEqual([1, ['invalid', 'invalid']])
  }
})

test('concurrent revocations and restorations leave record and entry with the same status', async () => {
  for (let round = 0; round < 20; round++) {
    const { credentialId: id } = await newRevocable(service, service.id)
    const calls = Array.from({ length: 8 }, (_, at) => ({ isRevoked: at % 2 === 0 }))
    await Promise.all(calls.map((body) => service.operator.post(pathOf('compact', id), body)))
    const [record, entry] = await recordOf(id)
    expect(record).toBe(entry)
  }
})

test('a status change during the erasure of the user answers 200 or 404 and leaves no record', async () => {
  for (let round = 0; round < 30; round++) {
    const { body: user } = await service.operator.post('/v1/users', { claims: {} })
    const listId = await newList(service, service.id)
    const made = await newCredentials(service, service.id, { listId, userId: user.id, count: 3 })
    const erase = service.operator.delete(`/v1/users/${user.id}`)
    for (let tick = 0; tick < round % 10; tick++) await setImmediate()
    const calls = made.map(({ credentialId }) =>
      service.operator.post(pathOf('compact', credentialId), { isRevoked: true }),
    )
    expect((await erase).status).toBe(204)
    for (const { status } of await Promise.all(calls)) expect([200, 404]).toContain(status)
    for (const { credentialId } of made) expect((await recordOf(credentialId))[0]).toBeUndefined()
  }
})

test('concurrent status changes have their own answers and their own audit rows', async () => {
  const { operator, id: tenantId } = service
  const listId = await newList(service, tenantId)
  const made = (await newCredentials(service, tenantId, { listId, count: 60 })).map(({ credentialId }) => credentialId)
  const [plain] = await newCredentials(service, tenantId)
  const [other] = await newCredentials(service, tenantId, { profile: 'compact-semantic', listId, from: 100 })
  const refused = [plain!.credentialId, other!.credentialId, randomUUID()]
  const ids = [...made.slice(0, 30), ...refused, ...made.slice(30), made[0]!]
  const answers = await Promise.all(ids.map((id) => operator.post(pathOf('compact', id), { isRevoked: true })))
  for (const [index, { status, body }] of answers.entries()) {
    const id = ids[index]!
    if (refused.includes(id)) expect([status, body.details[0].value]).toEqual([404, id])
    else expect([status, body]).toEqual([200, { id, isRevoked: true }])
  }
  for (const id of made) expect(await recordOf(id)).toEqual(['invalid', 'invalid'])

  const type = 'CREDENTIAL_COMPACT_REVOCATION_SET_STATUS_AUDIT'
  const { rows } = await listAuditEvents(service.deps.db.read, tenantId, { types: [type] }, 500)
  const auditRows = rows.filter(({ data }) => ids.includes(String(data.id)))
  expect(auditRows.map(({ data }) => String(data.id)).sort()).toEqual([...made, made[0]!].sort())
  expect(new Set(auditRows.map(({ requestId }) => requestId)).size).toBe(61)
  expect(new Set(auditRows.map(({ data, clientId }) => `${data.isRevoked} ${clientId}`))).toEqual(
    new Set([`true ${service.clientId}`]),
  )
  for await (const report of checkChains(service.deps.db.read, new Map())) expect(report).not.toHaveProperty('fault')
})

test('concurrent status changes of other tenants, profiles and values do not mix', async () => {
  const otherTenant = await service.addTenant()
  const many = async (tenantId: string, profile: (typeof profiles)[number]) => {
    const listId = await newList(service, tenantId, profile)
    const made = await newCredentials(service, tenantId, { profile, listId, count: 15 })
    return made.map(({ credentialId }) => credentialId)
  }
  const own = { of: service, profile: 'compact', isRevoked: true } as const
  const kinds = [
    { ...own, ids: await many(service.id, 'compact') },
    { ...own, of: otherTenant, ids: await many(otherTenant.id, 'compact') },
    { ...own, profile: 'web-semantic', ids: await many(service.id, 'web-semantic') },
    { ...own, isRevoked: false, ids: await many(service.id, 'compact') },
  ]
  const calls = kinds[0]!.ids.flatMap((_, at) => kinds.map((kind) => ({ ...kind, id: kind.ids[at]! })))
  const setAll = (isRevoked?: boolean) =>
    Promise.all(
      calls.map((call) =>
        call.of.operator.post(pathOf(call.profile, call.id), { isRevoked: isRevoked ?? call.isRevoked }),
      ),
    )
  for (const answers of [await setAll(true), await setAll()])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  for (const { of, profile, id, isRevoked } of calls)
    expect((await of.operator.get(pathOf(profile, id))).body).toEqual({ isRevoked })
})

test('concurrent status changes share transactions', async () => {
  const listId = await newList(service, service.id)
  const made = await newCredentials(service, service.id, { listId, count: 50 })
  let transactions = 0
  const counting: Database = {
    ...service.deps.db,
    tx(work) {
      transactions++
      return service.deps.db.tx(work)
    },
  }
  const { set: setStatus } = statusSetter.create({ ...service.deps, db: counting })
  const by = { event: 'TEST', requestId: randomUUID() }
  const set = (id: string) =>
    setStatus({ tenantId: service.id, profile: 'compact', id, status: 'invalid', by, changedByName: 'Test' })
  const outcomes = await Promise.all(made.map(({ credentialId }) => set(credentialId)))
  expect(new Set(outcomes)).toEqual(new Set(['set']))
  expect(transactions).toBe(2)
})

describe('at the deadline of its request', () => {
  /** A deadline that passes when the test calls `pass`. */
  function newDeadline(): Deadline & { pass(): void } {
    let isOver = false
    return {
      ...noDeadline,
      require() {
        if (isOver) throw new Problem('service_unavailable')
      },
      pass() {
        isOver = true
      },
    }
  }

  async function newChanges(count: number) {
    const made = await newCredentials(service, service.id, { listId: await newList(service, service.id), count })
    const by = { event: 'TEST', requestId: randomUUID() }
    const changes = made.map(({ credentialId: id }): StatusChange => {
      return { tenantId: service.id, profile: 'compact', id, status: 'invalid', by, changedByName: 'Test' }
    })
    const auditedIds = async () => {
      const { read } = service.deps.db
      const rows = await read
        .select({ data: auditEvents.data })
        .from(auditEvents)
        .where(eq(auditEvents.requestId, by.requestId))
      return JSON.stringify(rows)
    }
    return { changes, auditedIds }
  }

  test('a status change answers 503 and writes nothing', async () => {
    const { changes, auditedIds } = await newChanges(1)
    const deadline = newDeadline()
    const slot = createSlot(createAdmission(), new EventEmitter() as ServerResponse)
    const { set: setStatus } = bindDeps(service.deps, { deadline, slot }).services.of(statusSetter)
    deadline.pass()
    await expect(setStatus(changes[0]!)).rejects.toMatchObject({ status: 503 })
    expect(await recordOf(changes[0]!.id)).toEqual(['valid', 'valid'])
    expect(await auditedIds()).toBe('[]')
  })

  test.each(['before its transaction', 'in its transaction'])(
    'a change that is late %s writes nothing, and the others of its batch are set',
    async (moment) => {
      const { changes, auditedIds } = await newChanges(4)
      const deadlines = changes.map(newDeadline)
      const gate = Promise.withResolvers<void>()
      let transactions = 0
      const db: Database = {
        ...service.deps.db,
        async tx(work, options) {
          const number = ++transactions
          const result = await service.deps.db.tx(async (tx) => {
            const done = await work(tx)
            if (number === 2 && moment === 'in its transaction') deadlines[2]!.pass()
            return done
          }, options)
          // The other changes arrive while the first one is written.
          if (number === 1) await gate.promise
          return result
        },
      }
      const { set: setStatus } = statusSetter.create({ ...service.deps, db })
      const outcomes = Promise.allSettled(changes.map((change, index) => setStatus(change, deadlines[index])))
      if (moment === 'before its transaction') deadlines[2]!.pass()
      gate.resolve()
      expect(await outcomes).toMatchObject([
        { value: 'set' },
        { value: 'set' },
        { reason: { status: 503 } },
        { value: 'set' },
      ])
      const records = await Promise.all(changes.map(({ id }) => recordOf(id)))
      expect(records.map(([record]) => record)).toEqual(['invalid', 'invalid', 'valid', 'invalid'])
      expect(await auditedIds()).not.toContain(changes[2]!.id)
    },
  )
})
