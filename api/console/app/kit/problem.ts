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

export const sentences: Record<Kind, Text> = texts({
  signedOut: {
    en: 'Your session has ended. Sign in again. Your input is still there.',
    de: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an. Ihre Eingaben sind noch da.',
  },
  forbidden: {
    en: 'Your roles do not allow this. Ask an administrator of this tenant.',
    de: 'Ihre Rollen erlauben das nicht. Wenden Sie sich an die Administration dieses Mandanten.',
  },
  missing: {
    en: 'This does not exist here, or it was deleted.',
    de: 'Das gibt es hier nicht, oder es wurde gelöscht.',
  },
  invalid: {
    en: 'Your input is not valid. Correct it and try again.',
    de: 'Ihre Eingabe ist nicht gültig. Korrigieren Sie sie, und versuchen Sie es noch einmal.',
  },
  conflict: {
    en: 'This is not possible in the current state.',
    de: 'Das ist im jetzigen Zustand nicht möglich.',
  },
  changed: {
    en: 'Another user has changed this in the meantime. Load it again, then make your change.',
    de: 'Jemand anderes hat das inzwischen geändert. Laden Sie es neu, und ändern Sie es dann.',
  },
  tooMany: {
    en: 'Too many requests. Wait a minute, then try again.',
    de: 'Zu viele Anfragen. Warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
  },
  unavailable: {
    en: 'A part of the service does not respond at the moment. Try again soon.',
    de: 'Ein Teil des Dienstes antwortet gerade nicht. Versuchen Sie es bald noch einmal.',
  },
  offline: {
    en: 'The service cannot be reached. Check the connection of this device.',
    de: 'Der Dienst ist nicht zu erreichen. Prüfen Sie die Verbindung dieses Geräts.',
  },
  foreign: {
    en: 'The response did not come from the service. It may come from the sign-in page of a proxy. Reload the page.',
    de: 'Die Antwort kam nicht vom Dienst. Vielleicht kam sie von der Anmeldeseite eines Proxys. Laden Sie die Seite neu.',
  },
  declined: { en: 'Nothing was changed.', de: 'Es wurde nichts geändert.' },
  failed: {
    en: 'The service failed. Find the details in its log by the request id.',
    de: 'Im Dienst ist ein Fehler aufgetreten. Einzelheiten stehen in seinem Protokoll unter der Anfrage-ID.',
  },
})

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

/** Returns whether the response is a page. No address that the console calls returns a page. */
export function isForeign({ headers }: Pick<Response, 'headers'>): boolean {
  return /^text\/html\b/i.test(headers.get('Content-Type') ?? '')
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
