import type { components } from './api.d.ts'

type ErrorBody = Partial<components['schemas']['Error']>

/** The error response of a request. `requestId` is the id of the request in the log of the service. */
export class TrustwrightError extends Error {
  override name = 'TrustwrightError'
  readonly status: number
  readonly code: string | undefined
  readonly details: NonNullable<ErrorBody['details']>
  readonly requestId: string | undefined

  constructor(response: Response, body: unknown) {
    const { code, message, details = [] }: ErrorBody = typeof body === 'object' && body !== null ? body : {}
    const fields = details.map(({ param, msg }) => `${param}: ${msg}`)
    const text = message || challengeOf(response) || `The response has the status ${response.status}`
    super([text, ...fields].join('; '))
    this.status = response.status
    this.code = code
    this.details = details
    this.requestId = response.headers.get('X-Request-Id') ?? undefined
  }
}

/** An answer to a refused token has no body. Its header says why (RFC 6750, section 3). */
function challengeOf({ headers }: Response): string | undefined {
  return /error_description="([^"]+)"/.exec(headers.get('WWW-Authenticate') ?? '')?.[1]
}

/** The result of a method of the client. */
export interface Fetched<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** Returns the data of a response. Throws a `TrustwrightError` for an error response. */
export async function dataOf<Data>(request: Promise<Fetched<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await request
  if (!response.ok) throw new TrustwrightError(response, error)
  // Boundary: a response without a body has no data, and its caller does not read data.
  return data as NonNullable<Data>
}
