import { expect, test } from 'vitest'
import { joinService } from '../../harness/harness.ts'

test('a response shows 1,000 faults, and the number of the others', async () => {
  await using service = await joinService()
  const objects = Object.fromEntries(Array.from({ length: 1_002 }, (_, at) => [`unknown/${at}`, {}]))
  const { status, body } = await service.operator.post('/v1/configuration/plan', { format: 1, objects })
  expect([status, body.details.length, body.details[999].param]).toEqual([400, 1_001, 'objects.unknown/999'])
  expect(body.details[1_000]).toMatchObject({ msg: '2 more faults are not shown', param: 'objects' })
})
