import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Answered, isSignedOut, signIns } from './api.ts'
import type { Problem } from './problem.ts'

/** Something that is read from the service, as it stands now. */
export interface Reading<Data> {
  /** The last that came; it stays while it is read again. */
  data: Data | undefined
  etag: string | undefined
  problem: Problem | undefined
  isLoading: boolean
  reload(): Promise<void>
}

/**
 * Reads when the screen comes up, when one of `keys` changes, and when somebody has signed in again. With `everyMs` it goes on
 * reading for as long as somebody looks: hidden tabs ask nothing.
 */
export function useRead<Data>(
  read: () => Promise<Answered<Data>>,
  keys: readonly unknown[],
  { everyMs }: { everyMs?: number | undefined } = {},
): Reading<Data> {
  const [state, setState] = useState<Omit<Reading<Data>, 'reload'>>(nothing)
  const turn = useRef(0)
  const latest = useRef(read)
  latest.current = read

  const reload = useCallback(async () => {
    const own = ++turn.current
    setState((before) => ({ ...before, isLoading: true }))
    const { data, problem, etag } = { etag: undefined, ...(await latest.current()) }
    // Of what was asked meanwhile the last counts.
    if (own !== turn.current) return
    if (problem) setState((before) => ({ ...before, problem, isLoading: false }))
    else setState({ data, etag, problem: undefined, isLoading: false })
  }, [])

  const key = JSON.stringify(keys)
  // The key stands for all that is asked about
  useEffect(() => {
    setState(nothing)
    void reload()
    return () => {
      turn.current++
    }
  }, [key, reload])
  useEffect(() => (everyMs === undefined ? undefined : pollWhileSeen(reload, everyMs)), [key, everyMs, reload])

  // What is there stays meanwhile: somebody may be typing in it.
  const signIn = signIns.value
  const readAt = useRef(signIn)
  useEffect(() => {
    if (readAt.current !== signIn) void reload()
    readAt.current = signIn
  }, [signIn, reload])
  return { ...state, reload }
}

const nothing = { data: undefined, etag: undefined, problem: undefined, isLoading: true }

function pollWhileSeen(read: () => Promise<void>, everyMs: number): () => void {
  let timer: number | undefined
  let isOver = false
  const later = () => {
    clearTimeout(timer)
    if (!document.hidden && !isOver) timer = window.setTimeout(now, everyMs)
  }
  // Nobody is signed in: what is asked so is refused, and counts against this address.
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
