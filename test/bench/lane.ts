import { Client } from 'undici'

export interface Sending {
  token?: string
  /** A DPoP proof. With it the token is sent as a bound token. */
  dpop?: string
}

/** One keep-alive connection. A call throws if its answer is not a success. */
export interface Lane {
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark reads any member
  call(method: string, path: string, body?: unknown, sending?: Sending): Promise<any>
  /** The redirect target and the cookie of an answer to a browser. */
  follow(path: string, cookie?: string): Promise<{ location: URL; cookie: string }>
  [Symbol.asyncDispose](): Promise<void>
}

/** `host` is the Host header if the request goes to another origin. */
export function createLane(origin: string, host = new URL(origin).host): Lane {
  const client = new Client(origin, { pipelining: 1 })
  return {
    async call(method, path, body, { token, dpop } = {}) {
      const headers: Record<string, string> = { host }
      if (token !== undefined) headers.authorization = `${dpop === undefined ? 'Bearer' : 'DPoP'} ${token}`
      if (dpop !== undefined) headers.dpop = dpop
      const form = body instanceof URLSearchParams
      if (body !== undefined) headers['content-type'] = form ? 'application/x-www-form-urlencoded' : 'application/json'
      const sent = body === undefined ? {} : { body: form ? body.toString() : JSON.stringify(body) }
      const response = await client.request({ method, path, headers, ...sent })
      const text = await response.body.text()
      if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    async follow(path, cookie) {
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path,
        headers: cookie === undefined ? {} : { cookie },
      })
      const text = await body.text()
      if (statusCode !== 302) throw new Error(`GET ${path}: ${statusCode} ${text}`)
      const [pair = ''] = String(headers['set-cookie'] ?? '').split(';')
      return { location: new URL(String(headers.location)), cookie: pair }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
    },
  }
}
