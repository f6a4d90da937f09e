import { expect, test } from 'vitest'
import type { Deps } from '../../api/deps.ts'
import { bindReads } from '../../api/process/bind-deps.ts'
import { routes } from '../../api/routes.ts'

const reading = routes.filter(({ readsStandby }) => readsStandby)

test('only operations of operators that read use the standby', () => {
  const names = reading.map(({ operation }) => operation)
  expect(names).toEqual(expect.arrayContaining(['retrieveEvents', 'searchUsers', 'retrieveOffers', 'retrieveUsers']))
  expect(reading.filter(({ access }) => access.kind !== 'operators')).toEqual([])
  const posts = reading.filter(({ method }) => method !== 'GET').map(({ operation }) => operation)
  expect(posts).toEqual(['searchUsers'])
  expect(reading.filter(({ audit, creates }) => audit || creates)).toEqual([])
})

test('an operation that reads at the standby cannot write', async () => {
  const write = async () => 'written'
  const db = { read: 'primary', standbyRead: async () => 'standby', tx: write, txAtOnce: write, txWithNext: write }
  // Boundary: only these members are used.
  const bound = await bindReads({ db } as unknown as Deps)
  expect(bound.db.read).toBe('standby')
  await expect(bound.db.tx(write)).rejects.toThrow('writes nothing')
  await expect(bound.db.txAtOnce(write)).rejects.toThrow('writes nothing')
  await expect(bound.db.txWithNext(write, { withinMs: 0 })).rejects.toThrow('writes nothing')
})
