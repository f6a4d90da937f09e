import { expect, test } from 'vitest'
import { createKeyedMutex } from '../../../shared/flow/mutex.ts'

test('work with the same name runs one after another, also after a failure, and other work meanwhile', async () => {
  const mutex = createKeyedMutex({ maxWaiting: 1 })
  const log: string[] = []
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const first = mutex('one', async () => {
    await gate
    log.push('first')
    throw new Error('failed')
  })
  const second = mutex('one', async () => log.push('second'))
  await mutex('other', async () => log.push('other'))
  open()
  await expect(first).rejects.toThrow('failed')
  await second
  expect(log).toEqual(['other', 'first', 'second'])
})

test('a call is refused if too many calls with its name wait, and others are not', async () => {
  const mutex = createKeyedMutex({ maxWaiting: 2 })
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const accepted = Array.from({ length: 3 }, () => mutex('one', () => gate))
  const refused = () => mutex('one', async () => expect.unreachable())
  await expect(refused()).rejects.toMatchObject({ status: 503 })
  await mutex('other', async () => undefined)
  open()
  await Promise.all(accepted)
  expect(await mutex('one', async () => 'free again')).toBe('free again')
})
