import { type Answered, isSignedOut, newIdempotencyKey } from './api.ts'
import { foreign, type Kind, offline, problemOf } from './problem.ts'

/** The last upload whose answer was lost. */
let unanswered: { content: string; key: string } | undefined

/** The kinds of problems after which the service may have stored the file. */
const isUnanswered: ReadonlySet<Kind> = new Set(['offline', 'foreign', 'unavailable'])

/**
 * Sends a form with a file. Reports the progress from 0 to 1, which `fetch` cannot do. If the answer is lost and the same form is sent
 * again, it has the same `Idempotency-Key`, so that its file is stored once.
 */
export function uploadForm<Data>(
  path: string,
  form: FormData,
  onProgress: (part: number) => void,
): Promise<Answered<Data>> {
  const request = new XMLHttpRequest()
  request.open('POST', path)
  request.setRequestHeader('X-Console', '1')
  const content = contentOf(path, form)
  const key = unanswered?.content === content ? unanswered.key : newIdempotencyKey()
  request.setRequestHeader('Idempotency-Key', key)
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  return new Promise((resolve) => {
    const finish = (answer: Answered<Data>) => {
      unanswered = answer.problem && isUnanswered.has(answer.problem.kind) ? { content, key } : undefined
      resolve(answer)
    }
    request.onerror = () => finish({ problem: offline })
    request.onload = () => finish(answeredWith<Data>(request))
    request.send(form)
  })
}

/** Returns a text that is the same for the same form. The service compares the bytes of the file. */
function contentOf(path: string, form: FormData): string {
  const values = [...form].map(([name, value]) =>
    typeof value === 'string' ? [name, value] : [name, value.name, value.size, value.lastModified],
  )
  return JSON.stringify([path, values])
}

function answeredWith<Data>(request: XMLHttpRequest): Answered<Data> {
  const { status } = request
  if (status === 401) isSignedOut.value = true
  const body = jsonOf(request.responseText)
  if (status < 300 && body === undefined) return { problem: foreign }
  // Boundary: the response of the service has this type.
  if (status < 300) return { data: body as Data }
  return { problem: problemOf(new Response(null, { status, headers: requestIdOf(request) }), body) }
}

function requestIdOf(request: XMLHttpRequest): Record<string, string> {
  const id = request.getResponseHeader('X-Request-Id')
  return id === null ? {} : { 'X-Request-Id': id }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
