import type { ComponentChildren } from 'preact'
import { isSignedOut } from './api.ts'
import { say } from './language.ts'
import { type Problem, sentences } from './problem.ts'
import { words } from './texts.ts'
import type { Reading } from './use-read.ts'

export function Loading() {
  return (
    <p class="loading" role="status">
      {say(words.loading)}
    </p>
  )
}

/** A problem as a sentence, with what the service said and a way on. */
export function Trouble({ problem, onRetry }: { problem: Problem; onRetry?: (() => void) | undefined }) {
  const { kind, message, details, requestId } = problem
  // Somebody has signed in since
  if (kind === 'signedOut' && !isSignedOut.value) return null
  const isForPeople = kind !== 'forbidden' && kind !== 'signedOut'
  return (
    <div class={`trouble ${kind}`} role="alert">
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
          {say(words.requestId)} <code>{requestId}</code>
        </p>
      )}
      {kind === 'foreign' && (
        <button type="button" onClick={() => location.reload()}>
          {say(words.reloadPage)}
        </button>
      )}
      {onRetry && kind !== 'forbidden' && (
        <button type="button" onClick={onRetry}>
          {say(words.again)}
        </button>
      )}
    </div>
  )
}

/** What was read, or that it is being read, or why it was not. What is there stays visible when a later reading fails. */
export function Shown<Data>({ of, children }: { of: Reading<Data>; children: (data: Data) => ComponentChildren }) {
  const { data, problem, reload } = of
  return (
    <>
      {problem && <Trouble problem={problem} onRetry={() => void reload()} />}
      {data !== undefined && children(data)}
      {data === undefined && !problem && <Loading />}
    </>
  )
}

/**
 * What stands where there is nothing yet: what it would be, and a link or button that begins it. A button with a dialog of its own
 * stands above the list instead: it would go, with what is typed in it, when the first of the list comes.
 */
export function Empty({ children, action }: { children: ComponentChildren; action?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {action}
    </div>
  )
}
