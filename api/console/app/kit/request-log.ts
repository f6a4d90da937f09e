import { signal } from '@preact/signals'
import type { LoggedRequest } from './snippets.ts'

/** The API requests of this screen: changes first, and the newest first. */
export const requestLog = signal<readonly LoggedRequest[]>([])

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

const secretName = /secret|password|privatekey|attestation$|code$/i

function withoutSecrets(body: string): string {
  if (!body) return ''
  try {
    return JSON.stringify(JSON.parse(body), (name, value) =>
      secretName.test(name) && typeof value === 'string' ? '…' : value,
    )
  } catch {
    return '…'
  }
}
