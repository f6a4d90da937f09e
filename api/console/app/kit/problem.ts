import { type Text, texts } from './language.ts'

/** The reason why a read or an action failed, for the user. */
export interface Problem {
  kind: Kind
  /** The message of the service, in English. Absent if the service returned none. */
  message?: string
  /** Errors of request fields: the dotted path and the message. */
  details: { param: string; message: string }[]
  requestId?: string
  status?: number
}

export type Kind =
  | 'signedOut'
  | 'forbidden'
  | 'missing'
  | 'invalid'
  | 'conflict'
  | 'changed'
  | 'tooMany'
  | 'unavailable'
  | 'offline'
  | 'foreign'
  | 'declined'
  | 'failed'

export const sentences: Record<Kind, Text> = texts('problems')

/** The kinds by status. Status 412 means that another user has changed the object (`If-Match`). */
const kinds: Record<number, Kind> = {
  ...{ 400: 'invalid', 401: 'signedOut', 403: 'forbidden', 404: 'missing', 409: 'conflict', 410: 'conflict' },
  ...{ 412: 'changed', 413: 'invalid', 415: 'invalid', 422: 'invalid', 428: 'changed', 429: 'tooMany' },
  ...{ 502: 'unavailable', 503: 'unavailable', 504: 'unavailable' },
}

/** Returns the problem of a failed response. `error` is the parsed body: `{code, message, details?}`, or a text. */
export function problemOf(response: Response, error: unknown): Problem {
  const { status } = response
  const requestId = response.headers.get('X-Request-Id')
  const { message, details, isOfAddress } = bodyOf(error)
  // A malformed id in the address is shown like an unknown id.
  if (status === 400 && isOfAddress) return { kind: 'missing', status: 404, details: [] }
  const kind = kinds[status] ?? (status >= 500 ? 'failed' : 'invalid')
  return {
    ...{ kind, status, details },
    ...(message && { message }),
    ...(requestId && { requestId }),
  }
}

export const offline: Problem = { kind: 'offline', details: [] }

/** The user did not confirm the change. */
export const declined: Problem = { kind: 'declined', details: [] }

/** A proxy between the browser and the service has responded, for example a sign-in proxy with status 200 and a page. */
export const foreign: Problem = { kind: 'foreign', details: [] }

/** Returns whether the response is a page. The addresses that the console calls return pages only as files to save. */
export function isForeign({ headers }: Pick<Response, 'headers'>): boolean {
  return !headers.has('Content-Disposition') && /^text\/html\b/i.test(headers.get('Content-Type') ?? '')
}

function bodyOf(error: unknown): { message?: string; details: Problem['details']; isOfAddress: boolean } {
  if (!isRecord(error)) return { details: [], isOfAddress: false }
  const details = Array.isArray(error.details) ? error.details.filter(isRecord) : []
  return {
    ...(typeof error.message === 'string' && { message: error.message }),
    details: details.map(({ param, msg }) => ({ param: String(param ?? ''), message: String(msg ?? '') })),
    isOfAddress: details.length > 0 && details.every(isOfAddress),
  }
}

/** Returns whether the error is in the path, or in a query parameter that no form sets. */
function isOfAddress({ location, param }: Record<string, unknown>): boolean {
  return location === 'params' || (location === 'query' && /^(ids\.\d+|configurationId)$/.test(String(param)))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
