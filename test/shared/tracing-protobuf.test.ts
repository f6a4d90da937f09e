import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inherited } from '../harness/started.ts'
import { startOtlpReceiver } from '../servers/otlp-receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const folder = new URL('../../shared/tracing/', import.meta.url).href
let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
beforeAll(async () => {
  receiver = await startOtlpReceiver()
})
afterAll(() => receiver[Symbol.asyncDispose]())

/** A process chooses its recorder once, so the spans are those of another process. */
const script = `
  const folder = ${JSON.stringify(folder)}
  const { register } = await import(folder + 'sdk.ts')
  register(process.env, 'web', (reason) => console.log(reason))
  const { tracing } = await import(folder + 'tracing.ts')
  const { flushTraces } = await import(folder + 'flush.ts')
  const begin = () => tracing.begin('00-${traceId}-${spanId}-01')
  const fail = () => Promise.reject(new Error('Ada'))
  const refused = async () => {
    begin()
    await tracing.span('database transaction', 'client', undefined, fail)
  }
  await tracing.request('createAccessToken', refused, () => undefined).catch(({ message }) => console.log(message))
  await tracing.request('issueCredential', async () => begin(), (segment) =>
    segment.set({ 'trustwright.tenant.id': 'tenant-1', 'http.response.status_code': 200 }))
  await flushTraces()`

test('spans are exported as OTLP in protobuf', async () => {
  const env = {
    ...inherited(),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver',
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(stdout).toBe('Ada\n')

  expect(receiver.headers[0]).toMatchObject({
    'content-type': 'application/x-protobuf',
    authorization: 'Bearer of-the-receiver',
  })
  const [transaction, token, credential] = receiver.spans
  const ofProcess = { traceId, service: 'trustwright-web' }
  expect(receiver.spans).toEqual([
    expect.objectContaining({
      ...ofProcess,
      name: 'database transaction',
      parentSpanId: token?.spanId,
      isFailed: true,
    }),
    expect.objectContaining({ ...ofProcess, name: 'createAccessToken', parentSpanId: spanId, isFailed: false }),
    expect.objectContaining({ ...ofProcess, name: 'issueCredential', parentSpanId: spanId, isFailed: false }),
  ])
  expect(new Set([transaction, token, credential].map((span) => span?.spanId)).size).toBe(3)
  expect(transaction?.attributes).toEqual({ 'error.type': 'Error' })
  expect(credential?.attributes).toEqual({ 'trustwright.tenant.id': 'tenant-1', 'http.response.status_code': 200 })
  expect(Buffer.concat(receiver.bodies).includes('Ada')).toBe(false)
})
