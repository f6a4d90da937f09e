import { type Answered, isSignedOut } from './api.ts'
import { foreign, offline, problemOf } from './problem.ts'

/** Sends a form with a file. Reports the progress from 0 to 1, which `fetch` cannot do. */
export function uploadForm<Data>(
  path: string,
  form: FormData,
  onProgress: (part: number) => void,
): Promise<Answered<Data>> {
  const request = new XMLHttpRequest()
  request.open('POST', path)
  request.setRequestHeader('X-Console', '1')
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  return new Promise((resolve) => {
    request.onerror = () => resolve({ problem: offline })
    request.onload = () => resolve(answeredWith<Data>(request))
    request.send(form)
  })
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
