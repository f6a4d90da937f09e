/** A received request, such as that of `node:http` with its body, or a `Request`. */
export interface ReceivedWebhook {
  method: string
  /** The path and the query as received. */
  target: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Uint8Array | string
}

/** The event of a webhook. `id` is the same in each attempt at its delivery. */
export interface WebhookEvent {
  deliveryId: string
  deliveryTimestamp: string
  webhookId: string
  event: { id: string; type: string; timestamp: string; payload: Record<string, unknown> }
}

interface Jwk {
  kid: string
  kty: string
  crv: string
  x: string
}

const required = ['@request-target', '@method', '@authority', 'content-digest']
const maxAgeSeconds = 300
/** Unknown key ids, which anyone can send, do not cause more requests than this. */
const keysReadEveryMs = 10_000

/**
 * Returns a function that verifies the signature of a webhook (RFC 9421) with the keys of `/v1/webhooks/jwks`, and returns its content.
 * It throws an Error that says what is wrong. Reject such a request with 401.
 */
export function createWebhookVerifier(baseUrl: string, send: typeof fetch = fetch) {
  let keys: Jwk[] = []
  let readAt = Number.NEGATIVE_INFINITY

  async function findKey(keyId: string): Promise<Jwk | undefined> {
    const key = keys.find(({ kid }) => kid === keyId)
    if (key || Date.now() - readAt < keysReadEveryMs) return key
    readAt = Date.now()
    const response = await send(new URL('/v1/webhooks/jwks', baseUrl))
    if (!response.ok) throw new Error(`The keys of webhooks cannot be read: status ${response.status}`)
    ;({ keys } = (await response.json()) as { keys: Jwk[] })
    return keys.find(({ kid }) => kid === keyId)
  }

  return async (received: ReceivedWebhook | Request): Promise<WebhookEvent> => {
    const { method, target, headers, body } = received instanceof Request ? await contentOf(received) : received
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : Uint8Array.from(body)
    const fields = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
    const [, params = '', list = ''] = /^sig1=(\(([^)]*)\).*)$/.exec(fields.get('signature-input') ?? '') ?? []
    if (params === '') throw new Error('The request has no signature')
    const names = list.split(' ').map((name) => name.slice(1, -1))
    const missing = required.filter((name) => !names.includes(name))
    if (missing.length > 0) throw new Error(`The signature does not cover ${missing.join(', ')}`)
    const created = Number(/;created=(\d+)/.exec(params)?.[1])
    if (!(Math.abs(Date.now() / 1000 - created) < maxAgeSeconds)) throw new Error('The signature is too old')
    if (fields.get('content-digest') !== `sha-256=:${toBase64(await crypto.subtle.digest('SHA-256', bytes))}:`)
      throw new Error('The body does not have the content-digest that was signed')

    const derived = { '@request-target': target, '@method': method, '@authority': fields.get('host') ?? '' }
    const values = new Map([...fields, ...Object.entries(derived)])
    const lines = names.map((name) => `"${name}": ${values.get(name) ?? ''}\n`)
    const base = new TextEncoder().encode(`${lines.join('')}"@signature-params": ${params}`)
    const jwk = await findKey(/;keyid="([^"]+)"/.exec(params)?.[1] ?? '')
    if (!jwk) throw new Error('The key of the signature is unknown')
    const key = await crypto.subtle.importKey('jwk', { ...jwk, alg: 'Ed25519' }, 'Ed25519', false, ['verify'])
    const signature = /^sig1=:([^:]*):$/.exec(fields.get('signature') ?? '')?.[1] ?? ''
    if (!(await crypto.subtle.verify('Ed25519', key, fromBase64(signature), base)))
      throw new Error('The signature is wrong')
    return JSON.parse(new TextDecoder().decode(bytes))
  }
}

async function contentOf(request: Request): Promise<ReceivedWebhook> {
  const { pathname, search, host } = new URL(request.url)
  const headers = { host, ...Object.fromEntries(request.headers) }
  return {
    method: request.method,
    target: pathname + search,
    headers,
    body: new Uint8Array(await request.arrayBuffer()),
  }
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
