import { expect, test } from 'vitest'
import { newQueue } from './backends.ts'

test('an operation that SQLite does not have throws an error with its name', async () => {
  const { queue } = await newQueue('sqlite')
  const added = await queue.add('one', {}, { jobId: 'one' })
  await expect(queue.drain()).rejects.toThrow('Queues in SQLite do not have the operation drain.')
  await expect(added.updateProgress(1)).rejects.toThrow('updateProgress')
  await expect(queue.setGlobalConcurrency(1)).rejects.toThrow('Queues in SQLite do not have the setting concurrency.')
  await expect(queue.setGlobalRateLimit(1, 1_000)).rejects.toThrow('the setting max')
})

test.for([
  ['lifo', { lifo: true }],
  ['deduplication', { deduplication: { id: 'same' } }],
  ['parent', { parent: { id: 'parent', queue: 'upkeep' } }],
] as const)('a job with the option %s is refused', async ([name, opts]) => {
  const { queue } = await newQueue('sqlite')
  await expect(queue.add('one', {}, opts)).rejects.toThrow(`Queues in SQLite do not have the option ${name}.`)
  await expect(
    queue.addBulk([
      { name: 'one', data: {} },
      { name: 'one', data: {}, opts },
    ]),
  ).rejects.toThrow(name)
  expect(await queue.getJobCounts('waiting')).toEqual({ waiting: 0 })
})

test('a schedule with a pattern is refused', async () => {
  const { queue } = await newQueue('sqlite')
  await expect(queue.upsertJobScheduler('search', { pattern: '* * * * *' })).rejects.toThrow('the option pattern')
  expect(await queue.getJobSchedulers()).toEqual([])
})
