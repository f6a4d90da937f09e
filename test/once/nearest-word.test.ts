import { expect, test } from 'vitest'
import { grantablePermissions } from '../../shared/access/own-roles.ts'
import { nearestWord } from '../../shared/nearest-word.ts'

test('the nearest word has a few letters more, fewer, or in another order', () => {
  const nearest = ['user:find', 'users:fnid', 'users:findd', 'something'].map((each) =>
    nearestWord(each, grantablePermissions),
  )
  expect(nearest).toEqual(['users:find', 'users:find', 'users:find', undefined])
})

test('a long text is compared with no word of another length, because it can be sent with a request', () => {
  const startedAt = performance.now()
  expect(nearestWord('x'.repeat(1_000_000), grantablePermissions)).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
