import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Answered, isSignedOut, signIns } from './api.ts'
import type { Problem } from './problem.ts'

/** Data that is read from the service, and its state. */
export interface Reading<Data> {
  /** The last successful result. It stays while the data is read again. */
  data: Data | undefined
  etag: string | undefined
  problem: Problem | undefined
  isLoading: boolean
  reload(): Promise<void>
}

/**
 * Reads when the screen is first shown, when one of `keys` changes, and after a new sign-in. With `everyMs` it polls while the tab
 * is visible. Hidden tabs send no request.
 */
export function useRead<Data>(
  read: () => Promise<Answered<Data>>,
  keys: readonly unknown[],
  { everyMs }: { everyMs?: number | undefined } = {},
): Reading<Data> {
  const [state, setState] = useState<Omit<Reading<Data>, 'reload'>>(nothing)
  const readCount = useRef(0)
  const latest = useRef(read)
  latest.current = read

  const reload = useCallback(async () => {
    const own = ++readCount.current
    setState((before) => ({ ...before, isLoading: true }))
    const { data, problem, etag } = { etag: undefined, ...(await latest.current()) }
    // Only the latest of several concurrent reads counts.
    if (own !== readCount.current) return
    if (problem) setState((before) => ({ ...before, problem, isLoading: false }))
    else setState({ data, etag, problem: undefined, isLoading: false })
  }, [])

  const key = JSON.stringify(keys)
  // The key replaces all values that the read depends on.
  useEffect(() => {
    setState(nothing)
    void reload()
    return () => {
      readCount.current++
    }
  }, [key, reload])
  useEffect(() => (everyMs === undefined ? undefined : pollWhileVisible(reload, everyMs)), [key, everyMs, reload])

  // The data stays meanwhile, because the user may be typing in a form of it.
  const signIn = signIns.value
  const readAt = useRef(signIn)
  useEffect(() => {
    if (readAt.current !== signIn) void reload()
    readAt.current = signIn
  }, [signIn, reload])
  return { ...state, reload }
}

const nothing = { data: undefined, etag: undefined, problem: undefined, isLoading: true }

function pollWhileVisible(read: () => Promise<void>, everyMs: number): () => void {
  let timer: number | undefined
  let isOver = false
  const later = () => {
    clearTimeout(timer)
    if (!document.hidden && !isOver) timer = window.setTimeout(now, everyMs)
  }
  // Without a session a request fails and counts against the rate limit of this address.
  const now = () => (isSignedOut.peek() ? later() : void read().finally(later))
  const look = () => (document.hidden ? clearTimeout(timer) : now())
  document.addEventListener('visibilitychange', look)
  later()
  return () => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
