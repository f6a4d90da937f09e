import { createServer } from 'node:http'
import { keepAlive } from '../harness/keep-alive.ts'
import { readTraces } from './otlp-protobuf.ts'

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

/** Receives traces as OTLP over HTTP in protobuf. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const headers: Record<string, unknown>[] = []
  const server = createServer(keepAlive, async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    bodies.push(body)
    headers.push(request.headers)
    for (const { resource, spans: ofResource } of readTraces(body))
      spans.push(...ofResource.map((span) => ({ ...span, service: resource['service.name'] })))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
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
