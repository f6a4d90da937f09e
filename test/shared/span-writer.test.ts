import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  InMemorySpanExporter,
  ParentBasedSampler,
  type Sampler,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { createApiRecorder } from '../../shared/tracing/api-recorder.ts'
import type { SpanAttributes } from '../../shared/tracing/attributes.ts'
import { createJsonRecorder } from '../../shared/tracing/json-recorder.ts'
import type { Recorder } from '../../shared/tracing/recorder.ts'
import { headOf } from '../../shared/tracing/resource-json.ts'
import { SpanWriter, type SpanWriterOptions } from '../../shared/tracing/span-writer.ts'

const resource = resourceFromAttributes({ 'service.name': 'a "quoted" näme', 'process.pid': 7, list: ['x', 'y'] })
const head = headOf(resource, 'trustwright')
const startedAt = 1_790_000_000_123.25
const spansIn = (body: string) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans
const namesIn = (body: string) => spansIn(body).map(({ name }: { name: string }) => name)

/** Returns a recorder, and what it has sent. */
function newWriter(options: Partial<SpanWriterOptions> = {}, sampler: Sampler = new AlwaysOnSampler()) {
  const sent: string[] = []
  const send = async (body: Buffer) => void sent.push(body.toString())
  const writer = new SpanWriter({ head, send, delayMs: 60_000, maxItems: 10, maxWaiting: 20, ...options })
  const recorder = createJsonRecorder(sampler, writer)
  const end = (name: string) => start(recorder, name)?.end({ endedAt: startedAt, shared: undefined, isFailed: false })
  return { writer, recorder, sent, end }
}

function start(recorder: Recorder, name: string, more: Partial<Parameters<Recorder['start']>[0]> = {}) {
  const nothing = { parent: undefined, own: undefined, shared: undefined }
  return recorder.start({ name, kind: SpanKind.CLIENT, startedAt, ...nothing, ...more })
}

const remote = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', isRemote: true }

function recordAll(recorder: Recorder) {
  const parent = start(recorder, 'a "quoted" näme', {
    kind: SpanKind.SERVER,
    parent: { ...remote, traceFlags: 1 },
    own: { 'trustwright.offer.id': 'an-offer', 'trustwright.tenant.id': 'replaced' },
  })
  const child = start(recorder, 'child', {
    parent,
    startedAt: startedAt + 0.5,
    shared: { 'trustwright.job': 'fanOut' },
  })
  const shared = { 'trustwright.job': 'fanOut', 'trustwright.attempt': 2 }
  child?.end({ endedAt: startedAt + 1_000.75, shared, isFailed: true })
  start(recorder, 'other trace')?.end({ endedAt: startedAt, shared: undefined, isFailed: false })
  parent?.end({ endedAt: startedAt + 2_000, shared: { 'trustwright.tenant.id': 'a-tenant' }, isFailed: false })
}

test('spans are written as the SDK and the serializer of OpenTelemetry write them', async () => {
  const { recorder, writer, sent } = newWriter()
  recordAll(recorder)
  await writer.flush()
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor({ exporter })] })
  recordAll(createApiRecorder(provider.getTracer('trustwright')))
  const serialized = Buffer.from(JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans()) ?? []).toString()
  const [written, expected] = [String(sent[0]), serialized].map((text) => {
    const ids = [...text.matchAll(/"(?:spanId|traceId)":"([0-9a-f]+)"/g)].map(([, id]) => String(id))
    // Each id is replaced by its number, so that the parents of both are comparable.
    const known = new Map([...new Set(ids)].map((id, number) => [id, `id ${number}`]))
    const withNumbers = text.replaceAll(/(?<=Id":")[0-9a-f]+/g, (id) => known.get(id) ?? id)
    // A receiver reads the integers of both.
    return JSON.parse(withNumbers.replaceAll(/"intValue":"?(\d+)"?/g, '"intValue":$1'))
  })
  // Attributes have no order. Absent members have the defaults of the others.
  const byKey = ({ key: a }: { key: string }, { key: b }: { key: string }) => (a < b ? -1 : 1)
  for (const body of [written, expected])
    for (const span of body.resourceSpans[0].scopeSpans[0].spans) span.attributes.sort(byKey)
  expect(expected).toMatchObject(written)
  expect(spansIn(sent[0] ?? '')[0]).toMatchObject({ startTimeUnixNano: '1790000000123750000', status: { code: 2 } })
})

test('only allowed attributes are written: ids, words and integers', async () => {
  const { recorder, writer, sent } = newWriter()
  const attributes: SpanAttributes & Record<string, string | number | undefined> = {
    'trustwright.job': 'fanOut',
    'trustwright.attempt': 2,
    'trustwright.offer.id': undefined,
    'trustwright.tenant.id': 'Ada Lovelace',
    'trustwright.subject.id': 'https://example.org/?a=b',
    'trustwright.session.id': '',
    'trustwright.webhook.id': 'ä',
    'trustwright.problem': 'x"},{',
    'http.response.status_code': 1.5,
    'error.type': 'x'.repeat(101),
    given_name: 'Ada',
  }
  for (const part of ['own', 'shared'] as const) {
    const span = start(recorder, part, { own: part === 'own' ? attributes : undefined })
    span?.end({ endedAt: startedAt, shared: part === 'shared' ? attributes : undefined, isFailed: false })
  }
  await writer.flush()
  const allowed = [
    { key: 'trustwright.job', value: { stringValue: 'fanOut' } },
    { key: 'trustwright.attempt', value: { intValue: '2' } },
  ]
  expect(spansIn(sent[0] ?? '')).toMatchObject([{ attributes: allowed }, { attributes: allowed }])
})

test('ids are those of W3C Trace Context, and differ', () => {
  const { recorder } = newWriter()
  const spans = Array.from({ length: 2_000 }, () => start(recorder, 'a'))
  for (const span of spans) {
    expect(span?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/)
  }
  expect(new Set(spans.flatMap((span) => [span?.spanId, span?.traceId])).size).toBe(4_000)
})

test.each([
  { name: 'always_off', sampler: new AlwaysOffSampler(), root: false, sampled: false, unsampled: false },
  { name: 'always_on', sampler: new AlwaysOnSampler(), root: true, sampled: true, unsampled: true },
  ...[true, false].map((root) => ({
    name: `parentbased, the root is recorded: ${root}`,
    sampler: new ParentBasedSampler({ root: root ? new AlwaysOnSampler() : new AlwaysOffSampler() }),
    ...{ root, sampled: true, unsampled: false },
  })),
])('the sampler decides about roots and about parents of other processes: $name', ({ sampler, ...expected }) => {
  const { recorder } = newWriter({}, sampler)
  const parentOf = (traceFlags: number) => ({ parent: { ...remote, traceFlags } })
  const root = start(recorder, 'root')
  expect({
    root: root !== undefined,
    sampled: start(recorder, 'a', parentOf(1)) !== undefined,
    unsampled: start(recorder, 'a', parentOf(0)) !== undefined,
  }).toEqual({ root: expected.root, sampled: expected.sampled, unsampled: expected.unsampled })
  if (root) expect(start(recorder, 'child', { parent: root })).toMatchObject({ traceId: root.traceId, traceFlags: 1 })
})

test('a body has at most the maximum of spans, and is sent after a while', async () => {
  const { sent, end } = newWriter({ maxItems: 2, delayMs: 50 })
  for (const name of ['a', 'b', 'c']) end(name)
  await sleep(0)
  expect(sent.map(namesIn)).toEqual([['a', 'b']])
  await expect.poll(() => sent.map(namesIn)).toEqual([['a', 'b'], ['c']])
})

test('a flush sends what is left, and waits for what is being sent', async () => {
  const { writer, sent, end } = newWriter()
  await writer.flush()
  expect(sent).toEqual([])
  end('a')
  await writer.flush()
  expect(sent.map(namesIn)).toEqual([['a']])
})

test('while a receiver does not answer, the next spans wait, and then are dropped', async () => {
  const gate = Promise.withResolvers<void>()
  const sent: string[] = []
  const send = async (body: Buffer) => {
    sent.push(body.toString())
    await gate.promise
  }
  const { writer, end } = newWriter({ send, maxItems: 2, maxWaiting: 4 })
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) end(name)
  gate.resolve()
  await writer.flush()
  expect(sent.map(namesIn)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  end('g')
  await writer.flush()
  expect(sent.map(namesIn).at(-1)).toEqual(['g'])
})

test('a body with spans of the maximum size fits into the buffer', async () => {
  const { writer, sent, recorder } = newWriter({ maxItems: 10_000, maxWaiting: 10_000 })
  const names = ['tenant.id', 'request.id', 'client.id', 'offer.id', 'session.id', 'issuance.id', 'subject.kind']
  const own = Object.fromEntries(names.map((name) => [`trustwright.${name}`, 'x'.repeat(100)]))
  for (let count = 0; count < 1_000; count++)
    start(recorder, `${count}`.padEnd(8_000, '"'), { own })?.end({ endedAt: startedAt, shared: own, isFailed: true })
  await writer.flush()
  expect(sent.flatMap(namesIn)).toHaveLength(1_000)
  expect(Math.max(...sent.map(({ length }) => length))).toBeLessThan(512 * 1024)
})
