import { Client } from 'undici'

/** One keep-alive connection; a call that is not answered with success throws. */
export interface Lane {
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark reads what it asked for
  call(method: string, path: string, body?: unknown, token?: string): Promise<any>
  [Symbol.asyncDispose](): Promise<void>
}

export function createLane(origin: string): Lane {
  const client = new Client(origin, { pipelining: 1 })
  return {
    async call(method, path, body, token) {
      const headers: Record<string, string> = {}
      if (token !== undefined) headers.authorization = `Bearer ${token}`
      const form = body instanceof URLSearchParams
      if (body !== undefined) headers['content-type'] = form ? 'application/x-www-form-urlencoded' : 'application/json'
      const sent = body === undefined ? {} : { body: form ? body.toString() : JSON.stringify(body) }
      const response = await client.request({ method, path, headers, ...sent })
      const text = await response.body.text()
      if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
      return text === '' ? undefined : JSON.parse(text)
    },
    async [Symbol.asyncDispose]() {
      await client.close()
    },
  }
}
