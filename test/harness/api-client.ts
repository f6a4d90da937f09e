import { request } from 'undici'

export interface ApiResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** The parsed JSON, or the text. Undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came
  body: any
}

export interface Api {
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  delete(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
}

/** Calls the service at `origin` under a host of its choice. A string body is sent unchanged, URLSearchParams as a form. */
export function createApi(origin: string, host: string, token?: string): Api {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const form = body instanceof URLSearchParams
    const response = await request(origin + path, {
      method,
      headers: {
        host,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined
          ? {}
          : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body:
              typeof body === 'string' || Buffer.isBuffer(body) ? body : form ? body.toString() : JSON.stringify(body),
          }),
    })
    const text = await response.body.text()
    const isJson = String(response.headers['content-type']).includes('json')
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text || undefined,
    }
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  }
}
