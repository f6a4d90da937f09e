import { createHash, createPublicKey, verify as verifyBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { httpbis } from 'http-message-signatures'
import { keepAlive } from '../harness/keep-alive.ts'

export interface ReceivedDelivery {
  method: string
  /** Path and query exactly as on the request line. */
  path: string
  headers: Record<string, string>
  rawBody: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member
  body: any
  /** The real time at which the whole request had arrived. */
  at: number
}

export interface ReceiverAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string | Buffer
  /** How long the receiver waits before it answers. */
  delayMs?: number
}

export interface Receiver {
  url: string
  /** The requests in order, independent of the answers. */
  deliveries: ReceivedDelivery[]
  [Symbol.asyncDispose](): Promise<void>
}

type Answer = (request: ReceivedDelivery) => ReceiverAnswer | Promise<ReceiverAnswer>

/**
 * A webhook receiver on this machine, on any free port by default. It answers 200 unless `answer` returns another
 * status. It checks nothing.
 */
export async function startReceiver(answer: Answer = () => ({}), onPort = 0) {
  const deliveries: ReceivedDelivery[] = []
  const server = createServer(keepAlive, async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray()).toString()
    const { method = '', url: path = '' } = request
    const headers = singleHeaders(request.headers)
    const received = { method, path, headers, rawBody, body: parsed(rawBody), at: Date.now() }
    deliveries.push(received)
    const { status = 200, headers: answered = {}, body = '', delayMs = 0 } = await answer(received)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    response.writeHead(status, answered).end(body)
  })
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  } satisfies Receiver
}

/** The components that every webhook signature must cover. */
const requiredFields = [
  '@request-target',
  '@method',
  '@authority',
  'content-digest',
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'x-mattr-event-type',
  'x-mattr-webhook-id',
]

/** Returns whether digest and signature are valid for one of the published keys, by an independent library. */
export async function verify(
  { method, path, headers, rawBody }: ReceivedDelivery,
  jwks: { keys: { kid: string }[] },
): Promise<boolean> {
  const digest = createHash('sha256').update(rawBody).digest('base64')
  if (headers['content-digest'] !== `sha-256=:${digest}:`) return false
  const keyLookup = async ({ keyid }: { keyid?: string }) => {
    const jwk = jwks.keys.find(({ kid }) => kid === keyid)
    if (!jwk) return null
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    return {
      id: jwk.kid,
      algs: ['ed25519'],
      verify: async (data: Buffer, signature: Buffer) => verifyBytes(null, data, key, signature),
    }
  }
  const message = { method, url: new URL(path, `http://${headers.host}`), headers }
  const options = { keyLookup, requiredFields, requiredParams: ['created', 'keyid', 'alg'] }
  return (await httpbis.verifyMessage(options, message).catch(() => false)) === true
}

function singleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
