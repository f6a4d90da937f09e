import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isSignedByMinisign, readMinisignKey, readMinisignSignature } from '../../../shared/formats/minisign.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-minisign-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const path = (name: string) => join(dir, name)
const text = (name: string) => readFileSync(path(name), 'utf8')
const minisign = (...words: string[]) => execFileSync('minisign', words, { stdio: 'pipe', encoding: 'utf8' })

test('signatures of minisign are verified as it verifies them, prehashed and legacy', { tags: 'minisign' }, () => {
  minisign('-G', '-W', '-p', path('public.key'), '-s', path('secret.key'))
  const message = Buffer.from('a ceremony\n')
  writeFileSync(path('file'), message)
  const key = readMinisignKey(text('public.key'))!
  expect(readMinisignKey(text('public.key').split('\n')[1]!)).toEqual(key)
  expect(text('public.key')).toContain(key.id)
  for (const [words, isPrehashed] of [
    [['-H'], true],
    [['-l'], false],
  ] as const) {
    minisign('-S', ...words, '-s', path('secret.key'), '-m', path('file'), '-x', path('signature'), '-t', 'a comment')
    const signature = readMinisignSignature(text('signature'))!
    expect(signature).toMatchObject({ keyId: key.id, isPrehashed, trustedComment: 'a comment' })
    expect(isSignedByMinisign(message, signature, key)).toBe(true)
    expect(isSignedByMinisign(Buffer.from('another'), signature, key)).toBe(false)
    expect(isSignedByMinisign(message, { ...signature, trustedComment: 'other' }, key)).toBe(false)
    expect(isSignedByMinisign(message, { ...signature, keyId: '0' }, key)).toBe(false)
  }
})

test.each(['', 'RWQ', 'untrusted comment: x\nRWQ\n', `untrusted comment: x\n${'A'.repeat(56)}\n`])(
  'the text %j is no key and no signature',
  (other) => {
    expect(readMinisignKey(other)).toBeUndefined()
    expect(readMinisignSignature(other)).toBeUndefined()
  },
)
