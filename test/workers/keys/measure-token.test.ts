import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureToken } from '../../../workers/signing/keys/pkcs11/measure-token.ts'
import type { Token } from '../../../workers/signing/keys/pkcs11/open-token.ts'
import { makeToken, type TestToken } from '../../harness/softhsm.ts'

let made: TestToken
let token: Token
beforeAll(async () => {
  made = makeToken()
  token = await made.open()
})
afterAll(() => made[Symbol.asyncDispose]())

test('signatures of a token are compared with those of software keys, and no key stays', {
  tags: 'pkcs11',
}, async () => {
  const measured = await measureToken(token, { rounds: 3, roundMs: 20 })
  expect(measured.map(({ algorithm }) => algorithm)).toEqual(['ES256', 'Ed25519'])
  for (const { token: rate, software, ratio } of measured) {
    expect(Math.min(rate, software)).toBeGreaterThan(0)
    expect(ratio).toBeGreaterThan(0)
  }
  expect(await token.list()).toEqual([])
})
