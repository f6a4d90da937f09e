import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiClient, dataOf, TrustwrightError } from '../../../../shared/client/client.ts'
import type { ListenerRequest } from '../../../../shared/domain/operations/listeners.ts'
import { webhookEventKinds } from '../../../../shared/domain/operations/webhook-events.ts'
import { type Command, type CommandCall, textOf, textsOf, UsageError } from '../command.ts'
import { serverSentEvents } from '../server-sent-events.ts'

type Answer = { status: number; answer?: string } | { error: string }

const reconnectAfterMs = 1_000
/** The service waits for an answer for 8 seconds. */
const timeoutMs = 7_000
const maxAnswerLength = 1024
/** A request without an answer ends after 8 seconds. */
const maxReceived = 10_000

export const listenToWebhooks: Command = {
  name: 'webhooks listen',
  usage: '',
  summary: 'Receive webhooks on this machine, without a public address',
  details: [
    'Makes a webhook that is removed when the command ends. Its requests are signed for the local address, and sent as they are.',
    'Each attempt is in the list of deliveries: trustwright api GET /v1/webhooks/ID/deliveries',
  ],
  options: {
    'forward-to': { type: 'string', value: 'URL', help: 'The receiver, such as http://localhost:4000/hooks' },
    event: {
      type: 'string',
      multiple: true,
      value: 'EVENT',
      choices: webhookEventKinds,
      help: 'A type of event. Can be repeated. Default: OpenIdCredentialIssuedSummary',
    },
  },
  examples: [
    'trustwright webhooks listen --forward-to http://localhost:4000/hooks',
    'trustwright webhooks listen --forward-to http://localhost:4000/hooks --event OpenIdCredentialIssued --json',
  ],
  async run(call) {
    const forwardTo = textOf(call, 'forward-to')
    if (forwardTo === undefined) throw new UsageError('--forward-to is required')
    const names = textsOf(call, 'event').map(eventOf)
    const client = await call.client()
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
    const events = names.length > 0 ? names : (['OpenIdCredentialIssuedSummary'] as const)
    while (!ending.signal.aborted) {
      const { id } = await dataOf(client.POST('/v1/webhooks/listeners', { body: { forwardTo, events: [...events] } }))
      const listening = { webhookId: id, forwardTo }
      call.print(listening, `Listening as webhook ${id}. Requests go to ${forwardTo}. Ctrl-C ends it.`)
      try {
        await forwardAll({ call, client, listenerId: id, forwardTo, signal: ending.signal })
      } finally {
        await client.DELETE('/v1/webhooks/{webhookId}', { params: { path: { webhookId: id } } })
      }
    }
  },
}

function eventOf(text: string): (typeof webhookEventKinds)[number] {
  const event = webhookEventKinds.find((each) => each === text)
  if (!event) throw new UsageError(`--event must be one of ${webhookEventKinds.join(', ')}`)
  return event
}

interface Listening {
  call: CommandCall
  client: ApiClient
  listenerId: string
  forwardTo: string
  signal: AbortSignal
}

/**
 * Forwards requests until the signal. Opens the stream again after it has ended. The next stream begins with the requests that have no answer
 * yet. Returns too when the lease of the listener has ended, such as on a machine that was asleep.
 */
async function forwardAll(listening: Listening): Promise<void> {
  const { client, listenerId, signal } = listening
  const received = new Set<string>()
  while (!signal.aborted) {
    try {
      const headers = { Accept: 'text/event-stream' }
      const init = { params: { path: { listenerId } }, parseAs: 'stream', headers, signal } as const
      const stream = await dataOf(client.GET('/v1/webhooks/listeners/{listenerId}/stream', init))
      // Boundary: `parseAs` makes the data a stream.
      for await (const { id, data } of serverSentEvents(stream as unknown as ReadableStream<Uint8Array>)) {
        if (id === undefined || received.has(id)) continue
        received.add(id)
        const [oldest = ''] = received.size > maxReceived ? received : []
        received.delete(oldest)
        void forward(listening, id, data)
      }
    } catch (error) {
      if (error instanceof TrustwrightError && error.status === 404) return
      if (error instanceof TrustwrightError && error.status < 500) throw error
    }
    await sleep(reconnectAfterMs, undefined, { signal }).catch(() => {})
  }
}

/** Sends a request to the receiver, reports the answer and prints a line. */
async function forward({ call, client, listenerId, forwardTo }: Listening, requestId: string, data: string) {
  const at = new Date()
  const request = requestOf(data, forwardTo)
  const answer = request ? await send(request) : { error: 'The service sent a request that is not for --forward-to' }
  const durationMs = Date.now() - at.getTime()
  const path = { listenerId, requestId }
  const report = client.POST('/v1/webhooks/listeners/{listenerId}/requests/{requestId}/answer', {
    params: { path },
    body: answer,
  })
  const isReported = await report.then(
    ({ response }) => response.ok,
    () => false,
  )
  const { type = 'unknown', deliveryId } = request ?? {}
  const result = { at: at.toISOString(), type, deliveryId, durationMs, ...answer, isReported }
  const outcome = 'status' in answer ? answer.status : answer.error
  const late = isReported ? '' : '  not reported: the delivery will be repeated'
  call.print(result, `${result.at}  ${type}  ${outcome}  ${durationMs} ms${late}`)
}

interface LocalRequest {
  url: URL
  headers: Record<string, string>
  body: string
  /** The type of the event. */
  type: string
  deliveryId: string
}

/** Reads a request of the stream. Returns undefined unless it is a webhook for the origin of `forwardTo`: the service is not trusted with more. */
function requestOf(data: string, forwardTo: string): LocalRequest | undefined {
  try {
    const { method, target, headers, body }: ListenerRequest = JSON.parse(data)
    const { event, deliveryId } = JSON.parse(body)
    const { origin } = new URL(forwardTo)
    const url = new URL(target, origin)
    const isLocal = method === 'POST' && target.startsWith('/') && url.origin === origin
    return isLocal ? { url, headers, body, type: event.type, deliveryId } : undefined
  } catch {
    return undefined
  }
}

/** Sends the request as it was signed. */
async function send({ url, headers, body }: LocalRequest): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    const answer = (await response.text()).slice(0, maxAnswerLength)
    return { status: response.status, ...(answer !== '' && { answer }) }
  } catch (error) {
    const { message, cause } = error as Error
    return { error: (cause instanceof Error && cause.message) || message }
  }
}
