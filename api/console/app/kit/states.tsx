import type { ComponentChildren } from 'preact'
import { isSignedOut } from './api.ts'
import { say } from './language.ts'
import { type Problem, sentences } from './problem.ts'
import { commonTexts } from './texts.ts'
import type { Reading } from './use-read.ts'

export function Loading() {
  return (
    <p class="loading" role="status">
      {say(commonTexts.loading)}
    </p>
  )
}

/** Shows a problem as a sentence, with the message of the service and the next step. */
export function ProblemMessage({ problem, onRetry }: { problem: Problem; onRetry?: (() => void) | undefined }) {
  const { kind, message, details, requestId } = problem
  // The user has signed in since.
  if (kind === 'signedOut' && !isSignedOut.value) return null
  const isForPeople = kind !== 'forbidden' && kind !== 'signedOut'
  return (
    <div class={`problem ${kind}`} role="alert">
      <p>{say(sentences[kind])}</p>
      {isForPeople && message && <p class="soft">{message}</p>}
      {details.length > 0 && (
        <ul>
          {details.map((each) => (
            <li key={`${each.param} ${each.message}`}>
              <code>{each.param}</code> {each.message}
            </li>
          ))}
        </ul>
      )}
      {requestId && (kind === 'failed' || kind === 'unavailable') && (
        <p class="soft">
          {say(commonTexts.requestId)} <code>{requestId}</code>
        </p>
      )}
      {kind === 'foreign' && (
        <button type="button" onClick={() => location.reload()}>
          {say(commonTexts.reloadPage)}
        </button>
      )}
      {onRetry && kind !== 'forbidden' && (
        <button type="button" onClick={onRetry}>
          {say(commonTexts.again)}
        </button>
      )}
    </div>
  )
}

/** Shows the data, the loading state or the problem. Data stays visible when a later read fails. */
export function Shown<Data>({ of, children }: { of: Reading<Data>; children: (data: Data) => ComponentChildren }) {
  const { data, problem, reload } = of
  return (
    <>
      {problem && <ProblemMessage problem={problem} onRetry={() => void reload()} />}
      {data !== undefined && children(data)}
      {data === undefined && !problem && <Loading />}
    </>
  )
}

/**
 * The text of an empty list, with a link or button that creates the first entry. Put a button that opens a dialog above the list
 * instead: an empty state disappears with its dialog and the typed values when the first entry arrives.
 */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action}
    </div>
  )
}
