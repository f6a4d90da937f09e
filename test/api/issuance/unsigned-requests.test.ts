import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../db/client.ts'
import { type TenantState, tenants } from '../../../db/tables/tenancy/tenants.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { openCollection } from './credential-collection.ts'

const { endpoint, reset, ofOffer, collect, rowsOf, statesOf } = await openCollection()
afterAll(() => endpoint.close())
beforeEach(reset)

test('a deferral whose commit succeeded, but was not confirmed in time, has its transaction_id', async () => {
  endpoint.queue.answer = () => Promise.reject(new Problem('service_unavailable'))
  const session = await ofOffer()
  const tx: Database['tx'] = async (work) => {
    await endpoint.db.tx(work)
    throw new Problem('service_unavailable')
  }
  const db = { ...endpoint.db, tx, withoutDeadline: endpoint.db }
  const around = { settings: { deferredIssuance: 'whenSlow' as const }, deps: { db } }
  const answer = await collect(session, {}, around)
  const [row] = await rowsOf(session)
  expect(row).toMatchObject({ state: 'requested', deferredAt: endpoint.now })
  expect(answer).toMatchObject({ status: 202, body: { transaction_id: expect.stringMatching(`^${row?.id}\\.`) } })
})

test('a request that was not signed in time is cancelled, also if the database cannot be read then', async () => {
  const session = await ofOffer()
  let isReadable = true
  endpoint.queue.answer = () => {
    isReadable = false
    return Promise.reject(new Problem('service_unavailable'))
  }
  const read = new Proxy(endpoint.db.read, {
    get(database, member) {
      if (isReadable) return Reflect.get(database, member)
      throw new Error('no connection')
    },
  })
  const db = { ...endpoint.db, read, withoutDeadline: endpoint.db }
  const late = { problem: 'service_unavailable', check: 'signed_in_time' }
  await expect(collect(session, {}, { deps: { db } })).rejects.toMatchObject(late)
  expect(await statesOf(session)).toEqual(['abandoned'])
})

test('a request is not signed if its tenant started to move to another installation meanwhile', async () => {
  const session = await ofOffer()
  const setState = (state: TenantState) => endpoint.db.tx((tx) => tx.update(tenants).set({ state }))
  endpoint.queue.answer = async (request) => {
    await setState('moving')
    return endpoint.sign(request)
  }
  await expect(collect(session)).rejects.toMatchObject({ problem: 'service_unavailable' })
  await setState('active')
  expect(await statesOf(session)).toEqual(['abandoned'])
})
