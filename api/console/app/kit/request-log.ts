import { signal } from '@preact/signals'

/** The API requests of this screen as curl commands, the newest first. */
export const requestLog = signal<readonly string[]>([])

const maxEntries = 8

export function clearRequestLog(): void {
  requestLog.value = []
}

export async function logRequest(request: Request): Promise<undefined> {
  const { pathname, search } = new URL(request.url)
  if (!pathname.startsWith('/v')) return
  const type = request.headers.get('Content-Type') ?? ''
  const body = request.method === 'GET' ? '' : type.includes('json') ? await request.clone().text() : ''
  const line = curlLine(request.method, location.origin + pathname + search, body)
  // A repeated request is listed once.
  requestLog.value = [line, ...requestLog.value.filter((each) => each !== line)].slice(0, maxEntries)
}

function curlLine(method: string, url: string, body: string): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(url),
    `-H "Authorization: Bearer $TOKEN"`,
  ]
  if (body) parts.push(`-H 'Content-Type: application/json'`, `-d ${quoted(withoutSecrets(body))}`)
  return parts.join(' ')
}

/** Quotes a text for a shell. Between single quotes only the quote itself needs escaping. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const secretName = /secret|password|privatekey|attestation$|code$/i

function withoutSecrets(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value) =>
      secretName.test(name) && typeof value === 'string' ? '…' : value,
    )
  } catch {
    return '…'
  }
}
