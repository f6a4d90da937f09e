import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOtlpReceiver } from '../servers/otlp-receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const failures: string[] = []
let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
beforeAll(async () => {
  receiver = await startOtlpReceiver()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url
  process.env.OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20of-the-receiver'
  const { register } = await import('../../shared/tracing/sdk.ts')
  register({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, 'web', (reason) => failures.push(reason))
})
afterAll(() => receiver[Symbol.asyncDispose]())

test('spans are exported as OTLP in protobuf', async () => {
  // Loads the recorder that `register` has chosen.
  const { tracing } = await import('../../shared/tracing/tracing.ts')
  const { flushTraces } = await import('../../shared/tracing/flush.ts')
  if (!tracing) throw new Error('nothing is recorded')
  const failed = new Error('Ada')
  const work = () =>
    tracing.request(
      'createAccessToken',
      async () => {
        tracing.begin(`00-${traceId}-${spanId}-01`)
        await tracing.span('database transaction', 'client', undefined, () => Promise.reject(failed))
      },
      () => undefined,
    )
  await expect(work()).rejects.toBe(failed)
  await tracing.request(
    'issueCredential',
    async () => tracing.begin(`00-${traceId}-${spanId}-01`),
    (segment) => segment.set({ 'trustwright.tenant.id': 'tenant-1', 'http.response.status_code': 200 }),
  )
  await flushTraces()

  expect(failures).toEqual([])
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
