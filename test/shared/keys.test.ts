import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createKeys } from '../../shared/jobs/keys.ts'

/** Sends jobs that end when the test answers them. */
function start(deadlineMs = 60_000) {
  const sent: { tenantId: string; answer(): void }[] = []
  const call = (_name: string, { tenantId }: { tenantId: string }) =>
    new Promise((resolve) => void sent.push({ tenantId, answer: () => resolve({}) }))
  // Boundary: jobs for one caller use only `call`.
  const keys = createKeys({ call } as unknown as Bus, deadlineMs)
  const makeDid = (tenantId: string, deadlineAt?: number) =>
    keys.call('makeDid', { tenantId, didId: 'did' }, { deadlineAt })
  return { sent, makeDid }
}

test('a tenant has four jobs at the same time, and the jobs of others do not wait for the rest', async () => {
  const { sent, makeDid } = start()
  const answers = [...Array.from({ length: 6 }, () => makeDid('a')), makeDid('b')]
  await setImmediate()
  expect(sent.map(({ tenantId }) => tenantId)).toEqual(['a', 'a', 'a', 'a', 'b'])
  for (const each of sent) each.answer()
  await setImmediate()
  expect(sent.slice(5).map(({ tenantId }) => tenantId)).toEqual(['a', 'a'])
  for (const each of sent) each.answer()
  expect(await Promise.all(answers)).toEqual(Array(7).fill({}))
})

test('a job is refused if too many jobs of its tenant wait', async () => {
  const { sent, makeDid } = start()
  const accepted = Array.from({ length: 204 }, () => makeDid('a'))
  await expect(makeDid('a')).rejects.toMatchObject({ status: 503 })
  accepted.push(makeDid('b'))
  for (let answered = 0; answered < accepted.length; await setImmediate()) {
    for (const each of sent.slice(answered)) each.answer()
    answered = sent.length
  }
  await Promise.all(accepted)
})

test('a job is not sent after its deadline', async () => {
  const { sent, makeDid } = start(100)
  const first = Array.from({ length: 4 }, () => makeDid('a'))
  await expect(makeDid('a')).rejects.toMatchObject({ status: 503 })
  for (const each of sent) each.answer()
  await Promise.all(first)
  await expect(makeDid('a', performance.now() - 1)).rejects.toMatchObject({ status: 503 })
  expect(sent).toHaveLength(4)
})
