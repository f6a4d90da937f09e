import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { publicationKinds } from '../../shared/domain/operations/publications.ts'
import { discoveryChecks } from '../time-machine/check-discovery.ts'
import { checks } from '../time-machine/checks.ts'
import { publishedBy, publishedWithoutEnd } from '../time-machine/publications.ts'
import { renewals } from '../time-machine/renewals.ts'

const main = join(import.meta.dirname, '../time-machine/main.ts')

/** Returns the output of the command. It rejects with the output if a run fails. */
const timeMachine = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, [main, ...args], { maxBuffer: 100_000_000 })).stdout

test('the time machine checks and can switch off each kind of published document', () => {
  expect(Object.keys(checks).toSorted()).toEqual([...publicationKinds].toSorted())
  expect(Object.keys(publishedBy).filter((kind) => !(kind in renewals))).toEqual([])
})

test('the time machine checks each public document that has keys, is current or is signed for the request', () => {
  const isChecked = (reason: string) =>
    !/browsers|sign-in|offer|state of the process|version that never changes|trusted entities/.test(reason)
  const expected = Object.entries(publishedWithoutEnd).filter(([, reason]) => isChecked(reason))
  expect(expected.map(([operation]) => operation).filter((operation) => !(operation in discoveryChecks))).toEqual([])
})

test('nothing published is stale in a simulated month with faults, with three seeds', { tags: 'cbor2' }, async () => {
  expect(await timeMachine('--seeds', '3', '--days', '30')).toContain('3 of 3 passed')
})

const inToken = { tags: ['cbor2', 'pkcs11'] as ('cbor2' | 'pkcs11')[] }

test('all profiles, lists, DIDs, receipts and audits verify with all keys in a token', inToken, async () => {
  expect(await timeMachine('--days', '10', '--keys', 'pkcs11')).toContain('1 of 1 passed')
})

test('a list that is not renewed is noticed', { tags: 'cbor2' }, async () => {
  await expect(timeMachine('--days', '10', '--without', 'compact-list')).rejects.toThrow(
    /not renewed in time|its list has/,
  )
})
