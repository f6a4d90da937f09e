import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { headOf, tail, writeSpan } from '../../shared/tracing/otlp-json.ts'
import { SpanWriter, type SpanWriterOptions } from '../../shared/tracing/span-writer.ts'

const resource = resourceFromAttributes({ 'service.name': 'a "quoted" name', 'process.pid': 7, list: ['x', 'y'] })

/** Returns a tracer, and what the writer has sent. */
function newWriter(options: Partial<SpanWriterOptions> = {}) {
  const sent: string[] = []
  const send = async (body: Buffer) => void sent.push(body.toString())
  const writer = new SpanWriter({ send, delayMs: 60_000, maxItems: 10, maxWaiting: 20, ...options })
  const tracer = new TracerProvider({ resource, spanProcessors: [writer] }).getTracer('trustwright')
  const namesIn = (body: string) =>
    JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name)
  return { writer, sent, namesIn, end: (name: string) => tracer.startSpan(name, {}, ROOT_CONTEXT).end() }
}

test('spans are written as the serializer of OpenTelemetry writes them', () => {
  const exporter = new InMemorySpanExporter()
  const processor = new SimpleSpanProcessor({ exporter })
  const tracer = new TracerProvider({ resource, spanProcessors: [processor] }).getTracer('trustwright')
  const parent = tracer.startSpan('parent', { kind: SpanKind.SERVER, startTime: 1.5 }, ROOT_CONTEXT)
  const options = { kind: SpanKind.CLIENT, attributes: { text: 'a', whole: 200, part: 0.5, is: true } }
  const child = tracer.startSpan('child', options, trace.setSpan(ROOT_CONTEXT, parent))
  child.setStatus({ code: 2 })
  child.end()
  parent.end()
  const spans = exporter.getFinishedSpans()
  const [first] = spans
  const written = JSON.parse(`${first && headOf(first)}${spans.map(writeSpan).join(',')}${tail}`)
  const expected = JSON.parse(Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []).toString())
  // A receiver reads the integers of both. Absent members have the defaults of the others.
  const simplified = (text: unknown) =>
    JSON.parse(JSON.stringify(text).replaceAll(/"intValue":"?(\d+)"?/g, '"intValue":$1'))
  expect(simplified(expected)).toMatchObject(simplified(written))
})

test('a body has at most the maximum of spans, and is sent after a while', async () => {
  const { sent, namesIn, end } = newWriter({ maxItems: 2, delayMs: 50 })
  for (const name of ['a', 'b', 'c']) end(name)
  await sleep(0)
  expect(sent.map(namesIn)).toEqual([['a', 'b']])
  await sleep(150)
  expect(sent.map(namesIn)).toEqual([['a', 'b'], ['c']])
})

test('a flush sends what is left, and waits for what is being sent', async () => {
  const { writer, sent, namesIn, end } = newWriter()
  await writer.forceFlush()
  expect(sent).toEqual([])
  end('a')
  await writer.forceFlush()
  expect(sent.map(namesIn)).toEqual([['a']])
})

test('while a receiver does not answer, the next spans wait, and then are dropped', async () => {
  const gate = Promise.withResolvers<void>()
  const sent: string[] = []
  const send = async (body: Buffer) => {
    sent.push(body.toString())
    await gate.promise
  }
  const { writer, namesIn, end } = newWriter({ send, maxItems: 2, maxWaiting: 4 })
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) end(name)
  gate.resolve()
  await writer.forceFlush()
  expect(sent.map(namesIn)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  end('g')
  await writer.forceFlush()
  expect(sent.map(namesIn).at(-1)).toEqual(['g'])
})

test('a body with spans of the maximum size fits into the buffer', async () => {
  const { writer, sent, namesIn, end } = newWriter({ maxItems: 1_000, maxWaiting: 10_000 })
  for (let count = 0; count < 300; count++) end(`${count}`.padEnd(8_000, 'x'))
  await writer.forceFlush()
  expect(sent.flatMap(namesIn)).toHaveLength(300)
})
