import { createSecretKey, randomBytes } from 'node:crypto'
import { register } from 'prom-client'
import { expect, test } from 'vitest'
import { dayMs } from '../../shared/clock.ts'
import { createSealer, type SealFormat } from '../../shared/secrets/sealing.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'

const secret = randomBytes(32)
const commonKey = createSecretKey(secret)
const context = { use: 'login', place: 'login of 1' }

function sealerOf(format: SealFormat, day = 20_000) {
  return createSealer({ secret, commonKey, format, clock: { now: () => new Date((day + 0.5) * dayMs) } })
}

const textOf = (day: number, sealed: Buffer) => sealerOf(2, day).open(sealed, context).toString()

test('each use and each day has a key of its own, and a value names its day', () => {
  const [first, second] = [20_000, 20_001].map((day) => sealerOf(2, day).seal(Buffer.from('text'), context)) as [
    Buffer,
    Buffer,
  ]
  expect([first, second].map((sealed) => sealed.subarray(0, 8).toString('hex'))).toEqual([
    `54575332${(20_000).toString(16).padStart(8, '0')}`,
    `54575332${(20_001).toString(16).padStart(8, '0')}`,
  ])
  expect([textOf(20_400, first), textOf(1, second)]).toEqual(['text', 'text'])
  // With the header of the other day, the key is another.
  expect(() => textOf(20_000, Buffer.concat([second.subarray(0, 8), first.subarray(8)]))).toThrow()
  expect(() => sealerOf(2).open(first, { ...context, use: 'claim link' })).toThrow()
})

test('values of the earlier format are opened, and new ones are sealed in it on request', () => {
  const earlier = sealerOf(1).seal(Buffer.from('text'), context)
  expect([earlier.length, textOf(20_000, earlier)]).toEqual([4 + 28, 'text'])
  const marked = Buffer.concat([Buffer.from('TWS2'), earlier.subarray(4)])
  expect(() => textOf(20_000, marked)).toThrow()
  expect([sealerOf(1).isInFormat(earlier), sealerOf(2).isInFormat(earlier)]).toEqual([true, false])
  const newer = sealerOf(2).seal(Buffer.from('text'), context)
  expect(sealerOf(1).open(newer, context).toString()).toBe('text')
  expect([sealerOf(1).isInFormat(newer), sealerOf(2).isInFormat(newer)]).toEqual([false, true])
})

test('a value of the earlier format that begins like one with a header is opened', () => {
  // The nonce of one in 2^32 values begins with the mark.
  const text = 'VFdTMgcHBwcHBwcHxoZfnuaF6_LIDY0TXe953xaYhqc'
  const secrets = createSecrets([Buffer.alloc(32, 1)])
  expect(secrets.open(text, { use: 'purpose', place: 'purpose' })).toBe('text')
})

test('the keys of a use and a day stay the same in every version', () => {
  const secrets = createSecrets([Buffer.alloc(32, 1)])
  expect(secrets.open('VFdTMgAATiBxJ5hdMBCz8sQzPucEoXXD6cUvp1dW8_nmJJW6dwsIzg', context)).toBe('text')
})

test('a metric counts the seals of each use', async () => {
  const count = async () => {
    const { values } = (await register.getSingleMetric('trustwright_seals_total')?.get()) ?? { values: [] }
    return values.find(({ labels }) => labels.use === 'counted')?.value ?? 0
  }
  const counted = { use: 'counted', place: 'counted 1' }
  const sealed = sealerOf(2).seal(Buffer.from('one'), counted)
  sealerOf(2).seal(Buffer.from('two'), counted)
  sealerOf(2).open(sealed, counted)
  expect(await count()).toBe(2)
})
