import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createOutbound, type OutboundRequest } from '../../shared/outbound/outbound.ts'
import type { OutboundError } from '../../shared/outbound/outbound-error.ts'
import { type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'

const text = 'an answer '.repeat(50)

/** Sends a request to a server with this answer. Returns the response or the reason of the failure, and the requested coding. */
async function requested(answer: ReceiverAnswer, more: Partial<OutboundRequest> = {}) {
  await using server = await startReceiver(() => answer)
  const outbound = createOutbound({ allowLoopback: true })
  onTestFinished(() => outbound.close())
  const limits = { timeoutMs: 10_000, maxResponseBytes: 10_000 }
  const sent = outbound.request({ method: 'GET', url: server.url, ...limits, ...more })
  const outcome = await sent.catch(({ reason }: OutboundError) => reason)
  return { outcome, asked: server.deliveries[0]?.headers['accept-encoding'] }
}
const encoded = (coding: string, body: Buffer) => ({
  headers: { 'content-encoding': coding, 'content-length': String(body.length) },
  body,
})

test.each([
  ['gzip', gzipSync(text)],
  ['X-Gzip', gzipSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['br', brotliCompressSync(text)],
  ['identity, br', brotliCompressSync(text)],
])('an answer in %s is decoded', async (coding, body) => {
  const { outcome, asked } = await requested(encoded(coding, body))
  expect(asked).toBe('gzip, deflate, br')
  expect(outcome).toMatchObject({ status: 200, body: Buffer.from(text), truncated: false })
  expect(outcome).not.toHaveProperty('headers.content-encoding')
  expect(outcome).not.toHaveProperty('headers.content-length')
})

test.each(['identity', ''])('an answer in %j is returned as it is', async (coding) => {
  const answer = encoded(coding, Buffer.from(text))
  expect((await requested(answer)).outcome).toMatchObject({ ...answer, status: 200 })
})

test.each([
  ['zstd', Buffer.from(text)],
  ['constructor', Buffer.from(text)],
  ['gzip, gzip', gzipSync(gzipSync(text))],
  ['gzip', Buffer.from(text)],
  ['gzip', gzipSync(text).subarray(0, -9)],
  ['deflate', deflateSync(text).subarray(0, -9)],
  ['br', brotliCompressSync(text).subarray(0, -3)],
])('an answer in %s that cannot be decoded fails', async (coding, body) => {
  expect((await requested(encoded(coding, body))).outcome).toBe('encoding')
})

test('an answer without a body has no coding', async () => {
  const { outcome } = await requested({ status: 304, headers: { 'content-encoding': 'gzip' } })
  expect(outcome).toMatchObject({ status: 304, body: Buffer.alloc(0) })
})

test.each([
  [10_000, 10_000, 'decoded'],
  [10_001, 10_000, 'too_large'],
  [100_000, 1_000_000, 'decoded'],
  [300_000, 1_000_000, 'too_large'],
])('of %i zero bytes in gzip with the limit %i, the answer is %s', async (bytes, maxResponseBytes, expected) => {
  const { outcome } = await requested(encoded('gzip', gzipSync(Buffer.alloc(bytes))), { maxResponseBytes })
  if (expected === 'decoded') expect(outcome).toMatchObject({ body: Buffer.alloc(bytes) })
  else expect(outcome).toBe(expected)
})

test('of an answer whose beginning is kept, no coding is asked for and none is decoded', async () => {
  const body = gzipSync(text)
  const { outcome, asked } = await requested(encoded('gzip', body), { overflow: 'truncate' })
  expect([outcome, asked]).toEqual([expect.objectContaining({ body }), 'identity'])
})
