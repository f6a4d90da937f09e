import { useState } from 'preact/hooks'

/**
 * Returns a state that begins with `start` again when `key` changes, and its setter. Keys are compared by identity. The new start applies in
 * the same rendering. An effect would apply it later, and overwrite what a person has typed before.
 */
export function useStateOf<Value>(key: unknown, start: Value): [Value, (next: (before: Value) => Value) => void] {
  const [state, setState] = useState({ key, value: start })
  const isCurrent = Object.is(state.key, key)
  if (!isCurrent) setState({ key, value: start })
  const set = (next: (before: Value) => Value) =>
    setState((before) => ({ key, value: next(Object.is(before.key, key) ? before.value : start) }))
  return [isCurrent ? state.value : start, set]
}
