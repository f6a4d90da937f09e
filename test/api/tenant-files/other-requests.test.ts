import { expect, test } from 'vitest'
import { joinService, type TestTenant } from '../../harness/harness.ts'

/** Counts the answers that another tenant gets, one after the other, while a request runs. */
async function answersDuring<Result>(request: Promise<Result>, { operator }: TestTenant) {
  let isDone = false
  const result = request.finally(() => {
    isDone = true
  })
  let answers = 0
  for (; !isDone; answers++) expect((await operator.get('/v1/webhooks')).status).toBe(200)
  return { result: await result, answers }
}

test('other tenants are answered while the files of many objects are planned and applied', async () => {
  await using service = await joinService()
  const other = await service.addTenant()
  const authorization = { type: 'api-key', value: { $secret: 'KEY' } }
  const objects = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [
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
  for (const { answers } of [planned, applied, again]) expect(answers).toBeGreaterThan(3)
})
