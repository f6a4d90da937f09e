import { type Answered, isSignedOut } from './api.ts'
import { useAction } from './dialog.tsx'
import { foreign, isForeign, offline, problemOf } from './problem.ts'
import { logRequest } from './request-log.ts'
import { type Calls, canCall } from './session.ts'
import { ProblemMessage } from './states.tsx'

/** A button that saves the response of an address, for users who may call its operation. It sends the session and an `Accept` header, which a link cannot do. */
export function DownloadButton(props: { calls: Calls; label: string; path: string; name: string; accept?: string }) {
  const { calls, label, path, name, accept = '*/*' } = props
  const { run, problem, isBusy } = useAction(
    () => fetchBlob(path, accept),
    (blob) => save(blob, name),
  )
  if (!canCall(calls)) return null
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void run()} aria-label={`${label}: ${name}`}>
        {label}
      </button>
      {problem && <ProblemMessage problem={problem} />}
    </>
  )
}

/** A button that saves a text that is already loaded. */
export function SaveButton({ label, name, text }: { label: string; name: string; text: string }) {
  return (
    <button type="button" onClick={() => saveText(text, name)}>
      {label}
    </button>
  )
}

export function saveText(text: string, name: string): void {
  save(new Blob([text]), name)
}

async function fetchBlob(path: string, accept: string): Promise<Answered<Blob>> {
  const request = new Request(new URL(path, location.origin), { headers: { 'X-Console': '1', Accept: accept } })
  await logRequest(request)
  try {
    const response = await fetch(request)
    if (response.status === 401) isSignedOut.value = true
    if (response.ok) return isForeign(response) ? { problem: foreign } : { data: await response.blob() }
    return { problem: problemOf(response, await response.json().catch(() => undefined)) }
  } catch (error) {
    if (error instanceof TypeError) return { problem: offline }
    throw error
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads the blob while it saves the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
