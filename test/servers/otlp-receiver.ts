import { createServer } from 'node:http'
import { keepAlive } from '../harness/keep-alive.ts'
import { readProtobufTraces } from './otlp-protobuf.ts'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** By the name of the attribute. */
  attributes: Record<string, unknown>
  /** `service.name` of the process. */
  service: unknown
  isFailed: boolean
}

interface KeyValue {
  key: string
  value: Record<string, unknown>
}

/** The part of an OTLP body that the tests read. */
interface ExportRequest {
  resourceSpans: {
    resource: { attributes: KeyValue[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: KeyValue[]; status?: { code?: number } })[]
    }[]
  }[]
}

const valuesOf = (attributes: KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))

/** Integers of 64 bits are texts in JSON. */
function readValue(value: Record<string, unknown>): unknown {
  return 'intValue' in value ? Number(value.intValue) : Object.values(value)[0]
}

/** Receives traces as OTLP over HTTP, in JSON or protobuf. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: Record<string, unknown>[] = []
  const server = createServer(keepAlive, async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    bodies.push(body)
    headers.push(request.headers)
    const isProtobuf = request.headers['content-type'] === 'application/x-protobuf'
    const { resourceSpans }: ExportRequest = isProtobuf ? readProtobufTraces(body) : JSON.parse(body.toString())
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((each) => each.spans))
        spans.push({
          ...span,
          attributes: valuesOf(span.attributes),
          service: valuesOf(resource.attributes)['service.name'],
          isFailed: span.status?.code === 2,
        })
    response.writeHead(200, { 'content-type': request.headers['content-type'] }).end(isProtobuf ? '' : '{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** All bodies, for searches. */
    bodies,
    headers,
    clear() {
      spans.length = 0
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
