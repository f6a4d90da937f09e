import { expect, test } from 'vitest'
import { maxChangesAtOnce } from '../../../api/tenant-files/apply.ts'
import { joinService, type TestTenant } from '../../harness/harness.ts'

/** `MANY_FILES=5000` is the most that a request can have. */
const count = Number(process.env.MANY_FILES ?? 1_200)

const byHand = {
  name: 'By hand',
  url: 'https://source.example.org/',
  authorization: { type: 'api-key', value: 'another-key-of-a-source' },
}

/** Counts the answers that another tenant gets while a request runs: reads and writes, each one after the other. */
async function answersDuring<Result>(request: Promise<Result>, { operator }: TestTenant) {
  let isDone = false
  const result = request.finally(() => {
    isDone = true
  })
  let [reads, writes] = [0, 0]
  const read = async () => {
    for (; !isDone; reads++) expect((await operator.get('/v1/webhooks')).status).toBe(200)
  }
  const write = async () => {
    for (; !isDone; writes++) expect((await operator.post('/v1/claim-sources', byHand)).status).toBe(201)
  }
  await Promise.all([read(), write()])
  return { result: await result, reads, writes }
}

test('other tenants are answered while many files are planned and applied', async () => {
  await using service = await joinService()
  const other = await service.addTenant({ limits: { managementWritesPerMinute: 0 } })
  const authorization = { type: 'api-key', value: { $secret: 'KEY' } }
  const objects = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `claim-sources/source-${at}`,
      { name: `Source ${at}`, url: 'https://source.example.org/', authorization },
    ]),
  )
  const bundle = { format: 1, objects, secrets: { KEY: 'a-key-of-the-register' } }
  const planned = await answersDuring(service.operator.post('/v1/configuration/plan', bundle), other)
  expect(planned.result).toMatchObject({ status: 200 })
  const { basedOn, digest } = planned.result.body
  const apply = service.operator.post('/v1/configuration/apply', { ...bundle, basedOn, digest })
  const applied = await answersDuring(apply, other)
  expect(applied.result).toMatchObject({ status: 200 })
  const again = await answersDuring(service.operator.post('/v1/configuration/plan', bundle), other)
  expect(again.result).toMatchObject({ status: 200, body: { changes: [] } })
  for (const { reads } of [planned, applied, again]) expect(reads).toBeGreaterThan(3)
  // Each pause between two transactions has time for a write.
  expect(applied.writes).toBeGreaterThan(count / maxChangesAtOnce / 2)
}, 300_000)
