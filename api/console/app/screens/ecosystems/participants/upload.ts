import { type Answered, isSignedOut, type Schemas } from '../../../kit/api.ts'
import { say } from '../../../kit/language.ts'
import { foreign, offline, problemOf } from '../../../kit/problem.ts'
import { numberText } from '../../../kit/when.tsx'
import { participantTexts } from './texts.ts'

const maxBytes = 10_000_000

/** Returns a message if the file is not acceptable, before any upload. Returns undefined if it is. */
export async function findFileFault(file: File | undefined): Promise<string | undefined> {
  if (!file) return say(participantTexts.noFile)
  if (file.size > maxBytes)
    return say(participantTexts.tooLarge, { size: numberText(Math.ceil(file.size / 100_000) / 10) })
  const begins = new TextDecoder('latin1').decode(await file.slice(0, 5).arrayBuffer())
  return begins === '%PDF-' ? undefined : say(participantTexts.noPdf)
}

/** Sends a form and reports the progress from 0 to 1, which `fetch` cannot do. */
export function uploadEvidence(
  path: string,
  { file, fileDescription }: { file: File; fileDescription: string },
  onProgress: (part: number) => void,
): Promise<Answered<Schemas['ParticipantEvidence']>> {
  const form = new FormData()
  form.append('fileDescription', fileDescription)
  form.append('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', path)
  request.setRequestHeader('X-Console', '1')
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  return new Promise((resolve) => {
    request.onerror = () => resolve({ problem: offline })
    request.onload = () => resolve(answeredWith(request))
    request.send(form)
  })
}

function answeredWith(request: XMLHttpRequest): Answered<Schemas['ParticipantEvidence']> {
  const { status } = request
  if (status === 401) isSignedOut.value = true
  const body = jsonOf(request.responseText)
  if (status < 300 && body === undefined) return { problem: foreign }
  // Boundary: the response of the service has this type.
  if (status === 201) return { data: body as Schemas['ParticipantEvidence'] }
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
