import { KeyObject } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signEs256Jwt } from '../../../workers/signing/sign-jwt.ts'
import { type Certified, derOf, newCertificate } from '../../certificates/certificates.ts'
import { joinService, type SharedService } from '../../harness/harness.ts'
import { testSigner } from '../../harness/test-signer.ts'
import { foreignIssuer } from '../../harness/verifying.ts'

let service: SharedService
let root: Certified
let leaf: Certified
beforeAll(async () => {
  service = await joinService()
  root = await newCertificate({ name: 'Foreign root', ca: true })
  leaf = await newCertificate({ name: 'Foreign signer', issuer: root })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Far more than a slow machine needs for a request. */
const farSeconds = 600
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

async function sdJwt(claims: object): Promise<string> {
  const key = testSigner({ privateKey: KeyObject.from(leaf.keys.privateKey as never) })
  const header = { typ: 'dc+sd-jwt', alg: 'ES256', x5c: [derOf(leaf).toString('base64')] }
  return `${await signEs256Jwt(key, header, { vct: 'urn:example:card', ...claims })}~`
}

async function failuresOf(payload: string): Promise<[check: string, message: string][]> {
  const trustedIssuers = [root.certificate.toString('pem')]
  const { status, body } = await service.operator.post('/v2/credentials/sd-jwt/verify', { payload, trustedIssuers })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.failures.map(({ check, message }: { check: string; message: string }) => [check, message])
}

describe('the times of an SD-JWT VC', () => {
  test.each([
    ['a start 30 s ahead', { nbf: 30 }, []],
    ['an end a moment ago', { exp: -1 }, []],
    ['a start far ahead', { nbf: farSeconds }, ['NotYetValid']],
    ['an end long ago', { exp: -farSeconds }, ['Expired']],
  ])('have tolerance for the clock of the issuer: %s', async (_, offsets, checks) => {
    const claims = Object.fromEntries(Object.entries(offsets).map(([name, seconds]) => [name, inSeconds(seconds)]))
    expect((await failuresOf(await sdJwt(claims))).map(([check]) => check)).toEqual(checks)
  })

  test('that are not numbers are named', async () => {
    expect(await failuresOf(await sdJwt({ exp: String(inSeconds(farSeconds)), nbf: 'now' }))).toEqual([
      ['NotYetValid', expect.stringContaining('nbf is not a number')],
      ['Expired', expect.stringContaining('exp is not a number')],
    ])
  })
})

test('white space around a pasted SD-JWT VC does not count', async () => {
  expect(await failuresOf(`\n  ${await sdJwt({})}\r\n`)).toEqual([])
})

test.each(['compact', 'compact-semantic'] as const)(
  'the times of a %s credential have tolerance for the clock of the issuer, and white space does not count',
  async (profile) => {
    const issuer = await foreignIssuer()
    const verdict = async (validFrom: number, validUntil: number) => {
      const times = {
        validFrom: new Date(inSeconds(validFrom) * 1000),
        validUntil: new Date(inSeconds(validUntil) * 1000),
      }
      const payload = ` ${await issuer.sign(profile, times)}\r\n`
      const { body } = await service.operator.post(`/v2/credentials/${profile}/verify`, { payload })
      return body.verified ? 'verified' : (body.error ?? body.reason[0]).type
    }
    expect(await verdict(30, farSeconds)).toBe('verified')
    expect(await verdict(-farSeconds, -1)).toBe('verified')
    expect(await verdict(farSeconds, 2 * farSeconds)).toBe('NotYetValid')
    expect(await verdict(-2 * farSeconds, -farSeconds)).toBe('Expired')
  },
)
