import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeEach, expect, test } from 'vitest'
import { inherited } from '../harness/started.ts'
import { startOtlpReceiver } from '../servers/otlp-receiver.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const folder = new URL('../../shared/tracing/', import.meta.url).href
let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
beforeEach(async () => {
  receiver = await startOtlpReceiver()
  return () => receiver[Symbol.asyncDispose]()
})

/** Runs a script in a process with tracing. A process chooses its recorder once, so the spans are those of another process. */
async function run(script: string, settings: Record<string, string> = {}): Promise<string> {
  const begin = `
    const folder = ${JSON.stringify(folder)}
    const { register } = await import(folder + 'sdk.ts')
    register(process.env, 'web', (reason) => console.log(reason))
    const { tracing } = await import(folder + 'tracing.ts')
    const { flushTraces } = await import(folder + 'flush.ts')
    const request = (name, flags) =>
      tracing.request(name, async () => tracing.begin(flags && '00-${traceId}-${spanId}-' + flags), () => undefined)
  `
  const env = { ...inherited(), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...settings }
  const end = 'await flushTraces()\nprocess.exit()'
  const text = [begin, script, end].join('\n')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text], { env })
  return stdout
}

test('spans are exported as OTLP in protobuf, when the process stops', async () => {
  const script = `
    const fail = () => Promise.reject(new Error('Ada'))
    const refused = async () => {
      tracing.begin('00-${traceId}-${spanId}-01')
      await tracing.span('database transaction', 'client', undefined, fail)
    }
    await tracing.request('createAccessToken', refused, () => undefined).catch(({ message }) => console.log(message))
    const attributes = { 'trustwright.tenant.id': 'tenant-1', 'http.response.status_code': 200 }
    const accepted = async () => tracing.begin('00-${traceId}-${spanId}-01')
    await tracing.request('issueCredential', accepted, (segment) => segment.set(attributes))
  `
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver' }
  expect(await run(script, headers)).toBe('Ada\n')

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

const exportEach = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' }

test('a process that stops waits for the export that has begun', async () => {
  await run(`await request('begun', '01')`, exportEach)
  expect(receiver.spans.map(({ name }) => name)).toEqual(['begun'])
})

test('spans that do not fit into the queue are dropped', async () => {
  const script = `for (const name of ['a', 'b', 'c', 'd', 'e']) await request(name, '01')`
  await run(script, { ...exportEach, OTEL_BSP_MAX_QUEUE_SIZE: '2' })
  // The export of the first has begun when the others end.
  expect(receiver.spans.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
})

test.each([
  { sampler: 'always_off', expected: [] },
  { sampler: 'always_on', expected: ['root', 'sampled', 'unsampled'] },
  { sampler: 'parentbased_always_on', expected: ['root', 'sampled'] },
  { sampler: 'parentbased_always_off', expected: ['sampled'] },
  { sampler: 'parentbased_traceidratio', ratio: '0', expected: ['sampled'] },
])('the sampler $sampler decides about roots and parents of other processes', async ({ sampler, ratio, expected }) => {
  const settings = { OTEL_TRACES_SAMPLER: sampler, ...(ratio && { OTEL_TRACES_SAMPLER_ARG: ratio }) }
  await run(`await request('root'); await request('sampled', '01'); await request('unsampled', '00')`, settings)
  expect(receiver.spans.map(({ name }) => name)).toEqual(expected)
})
