import { afterAll, beforeAll, expect, test } from 'vitest'
import { addToOutbox } from '../../db/outbox.ts'
import { newId } from '../../shared/ids.ts'
import { eventually, type Service, startService } from '../harness.ts'
import { issueOne } from '../issued.ts'

/** Nobody takes deliveries off their queue here, so that it shows what was put there. */
let service: Service
beforeAll(async () => {
  service = await startService({ duties: ['signing', 'relay'] })
})
afterAll(() => service[Symbol.asyncDispose]())

async function queued(): Promise<{ id: string; issuances: string[] }[]> {
  const waiting = await service.deps.bus.queue('delivery').getJobs('waiting')
  return waiting.map(({ id = '', data }) => ({
    id,
    issuances: data.payload.items.map(({ issuanceId }: { issuanceId: string }) => issuanceId),
  }))
}

async function untilQueued(issuanceId: string) {
  return eventually(async () => (await queued()).find(({ issuances }) => issuances.includes(issuanceId)))
}

test('what Redis lost before it was fanned out is queued again', async () => {
  const { issuanceId } = await issueOne(service)
  const job = await untilQueued(issuanceId)
  await service.deps.bus.queue('delivery').obliterate({ force: true })
  service.clock.advance(21_000)
  expect(await untilQueued(issuanceId)).toEqual(job)
})

test('a row that comes together with one whose job is queued already is queued too', async () => {
  const [first, second] = [newId(), newId()]
  const entry = (issuanceId: string) => [{ id: issuanceId, payload: { tenantId: service.id, issuanceId } }]
  await service.deps.db.tx((tx) => addToOutbox(tx, 'fanOutIssuances', entry(first), service.clock.now()))
  await untilQueued(first)
  await service.deps.db.tx(async (tx) => {
    service.clock.advance(21_000)
    await addToOutbox(tx, 'fanOutIssuances', entry(second), service.clock.now())
  })
  await untilQueued(second)
})
