import { SpanKind } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { beforeEach, expect, test } from 'vitest'
import { Problem } from '../../shared/errors/errors.ts'
import { allowedAttributes, attributesOfPayload } from '../../shared/tracing/attributes.ts'
import { Recorder } from '../../shared/tracing/recorder.ts'
import { Segment } from '../../shared/tracing/segment.ts'
import { readTraceparent, traceparentOf } from '../../shared/tracing/traceparent.ts'
import { tracing } from '../../shared/tracing/tracing.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
const recorder = new Recorder(provider.getTracer('test'))
beforeEach(() => exporter.reset())

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const newSegment = (name = 'request') => new Segment(recorder, { name, kind: SpanKind.SERVER })
const remote = () => ({ traceId, spanId, traceFlags: 1, isRemote: true })
const finished = () =>
  exporter.getFinishedSpans().map(({ name, parentSpanContext }) => ({ name, parent: parentSpanContext?.spanId }))

test('tracing is off without an SDK', () => {
  expect(tracing).toBeUndefined()
})

test('a traceparent is read by W3C Trace Context', () => {
  const context = { traceId, spanId, traceFlags: 1, isRemote: true }
  expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual(context)
  expect(readTraceparent(`00-${traceId}-${spanId}-ff`)).toEqual(context)
  expect(readTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ ...context, traceFlags: 0 })
  expect(readTraceparent(`01-${traceId}-${spanId}-01-more`)).toEqual(context)
  expect(traceparentOf(context)).toBe(`00-${traceId}-${spanId}-01`)
})

test.each([
  ...[undefined, null, 1, '', 'x', ['00']],
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `01-${traceId}-${spanId}-01-${'x'.repeat(200)}`,
])('%j is no traceparent', (value) => {
  expect(readTraceparent(value)).toBeUndefined()
})

test('attributes are ids and words of the list', () => {
  const attributes = {
    'trustwright.job': 'fanOut',
    'trustwright.attempt': 2,
    'trustwright.offer.id': undefined,
    'trustwright.tenant.id': 'Ada Lovelace',
    'trustwright.subject.id': 'https://example.org/?a=b',
    'error.type': 'x'.repeat(101),
    given_name: 'Ada',
  }
  expect(allowedAttributes(attributes)).toEqual({ 'trustwright.job': 'fanOut', 'trustwright.attempt': 2 })
  const payload = { tenantId: 'a', issuanceId: 'b', claims: { given_name: 'Ada' }, url: 'https://example.org' }
  expect(attributesOfPayload(payload)).toEqual({ 'trustwright.tenant.id': 'a', 'trustwright.issuance.id': 'b' })
})

test('segments wait for the trace, and are then spans with their own times', async () => {
  const request = newSegment()
  const early = request.child({ name: 'early', kind: SpanKind.CLIENT })
  early?.end()
  const open = request.child({ name: 'open', kind: SpanKind.CLIENT })
  expect(request.traceId).toBeUndefined()
  request.start([remote()])
  expect(request.traceId).toBe(traceId)
  open?.end()
  request.end()
  const { spanId: parent } = readTraceparent(request.traceparent) ?? {}
  expect(finished()).toEqual([
    { name: 'early', parent },
    { name: 'open', parent },
    { name: 'request', parent: spanId },
  ])
  const [first, , last] = exporter.getFinishedSpans()
  expect(first?.startTime[0]).toBeGreaterThanOrEqual(last?.startTime[0] ?? Number.NaN)
})

test('a request that joins no trace has no spans', () => {
  const request = newSegment()
  const child = request.child({ name: 'child', kind: SpanKind.CLIENT })
  child?.end()
  request.start([])
  request.end()
  // Too late.
  request.start([remote()])
  expect(request.child({ name: 'later', kind: SpanKind.CLIENT })).toBeUndefined()
  expect(finished()).toEqual([])
})

test('at most 50 segments wait for the trace', () => {
  const request = newSegment()
  const children = Array.from({ length: 60 }, () => request.child({ name: 'child', kind: SpanKind.CLIENT }))
  expect(children.filter((child) => child !== undefined)).toHaveLength(50)
})

test('a shared segment has a span in each trace, and no traceparent of its own', () => {
  const [one, other, undecided] = [newSegment('one'), newSegment('other'), newSegment('undecided')]
  one.start([remote()])
  other.start([undefined])
  const joined = Segment.join(recorder, [one, other, one, undefined, undecided])
  const shared = joined.child({ name: 'shared', kind: SpanKind.CLIENT })
  expect(shared?.traceparent).toBeUndefined()
  shared?.end()
  const parents = [one, other].map(({ traceparent }) => readTraceparent(traceparent)?.spanId)
  expect(finished()).toEqual(parents.map((parent) => ({ name: 'shared', parent })))
})

test('a failure has the code of the problem or the name of the error, and no text', () => {
  for (const error of [new Problem('not_found', { message: 'Ada' }), new TypeError('Ada')]) {
    const segment = newSegment()
    segment.start([undefined])
    segment.fail(error)
    segment.end()
  }
  expect(exporter.getFinishedSpans().map(({ status, attributes }) => ({ status, attributes }))).toEqual([
    { status: { code: 2 }, attributes: { 'trustwright.problem': 'NotFound' } },
    { status: { code: 2 }, attributes: { 'error.type': 'TypeError' } },
  ])
})
