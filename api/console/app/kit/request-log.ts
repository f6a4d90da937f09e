import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { LoggedRequest } from './snippets.ts'

/** The API requests of this screen: changes first, and the newest first. */
export const requestLog = signal<readonly LoggedRequest[]>([])

/** The request that the form of this screen would send. */
export const draftRequest = signal<LoggedRequest | undefined>(undefined)

/** The request that a form sends. The path has its ids. */
export interface DraftRequest {
  method: 'POST' | 'PUT'
  path: string
  body: unknown
}

/** Shows the request of a form before it is sent, with the commands of the screen. */
export function useDraftRequest(draft: DraftRequest | undefined): void {
  const text = draft && JSON.stringify(draft.body)
  useEffect(() => {
    draftRequest.value = draft && {
      method: draft.method,
      url: location.origin + draft.path,
      body: withoutSecrets(text ?? ''),
    }
    return () => {
      draftRequest.value = undefined
    }
  }, [draft?.method, draft?.path, text])
}

const maxEntries = 8

export function clearRequestLog(): void {
  requestLog.value = []
}

export async function logRequest(request: Request): Promise<undefined> {
  const { pathname, search } = new URL(request.url)
  if (!pathname.startsWith('/v')) return
  const type = request.headers.get('Content-Type') ?? ''
  const body = request.method === 'GET' ? '' : type.includes('json') ? await request.clone().text() : ''
  const entry = { method: request.method, url: location.origin + pathname + search, body: withoutSecrets(body) }
  // A repeated request is listed once.
  const isSame = (each: LoggedRequest) => JSON.stringify(each) === JSON.stringify(entry)
  const all = [entry, ...requestLog.value.filter((each) => !isSame(each))]
  const isRead = ({ method }: LoggedRequest) => Number(method === 'GET')
  requestLog.value = all.sort((one, other) => isRead(one) - isRead(other)).slice(0, maxEntries)
}

const secretName = /secret|password|privatekey|attestation$|^(transaction|pre-authorized_)?code$|token$|^apikey$/i
/** Longer texts are files. */
const maxLoggedLength = 20_000
/** The values of these members are issued. Their names are those of claims. */
const issuedNames = new Set(['claims', 'payload'])

function withoutSecrets(body: string): string {
  if (!body) return ''
  try {
    return JSON.stringify(masked('', JSON.parse(body)))
  } catch {
    return '…'
  }
}

function masked(name: string, value: unknown): unknown {
  if (issuedNames.has(name)) return value
  if (secretName.test(name) && typeof value === 'string') return '…'
  if (typeof value === 'string' && value.length > maxLoggedLength) return '…'
  if (Array.isArray(value)) return value.map((each) => masked(name, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, masked(member, inner)]))
}
