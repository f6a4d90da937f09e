import { useEffect, useReducer } from 'preact/hooks'
import { useLocation } from 'preact-iso'

/** Returns an address of the console. The state of a screen is in its address, so that back, reload and a shared link show the same. */
export function to(path: string, query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams(definedOf(query)).toString()
  return `/console${path || '/'}${search && `?${search}`}`
}

/** The query of the address and its setter. Any change other than of the cursor returns to the first page. */
export function useQuery(): [
  Readonly<Record<string, string | undefined>>,
  (changes: Record<string, string | undefined>) => void,
] {
  const { path, query, route } = useLocation()
  return [
    query,
    (changes) => {
      route(to(path.replace(/^\/console/, ''), { ...query, cursor: undefined, ...changes }))
    },
  ]
}

/**
 * Returns state like `useQuery`, but from the fragment (`#`), which browsers do not send. Searches are often about a person, so the API takes them
 * in a body. A query would be in the logs of every server and proxy. Back, reload and a shared link still show the same.
 */
export function useFragment(): [
  Readonly<Record<string, string | undefined>>,
  (values: Record<string, string | undefined>) => void,
] {
  const { path, query, route } = useLocation()
  const [, look] = useReducer((count: number, _event: Event) => count + 1, 0)
  useEffect(() => {
    // The router ignores changes of the fragment.
    for (const name of fragmentChanges) addEventListener(name, look)
    return () => {
      for (const name of fragmentChanges) removeEventListener(name, look)
    }
  }, [])
  return [
    Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
    (values) => {
      const fragment = new URLSearchParams(definedOf(values)).toString()
      const address = to(path.replace(/^\/console/, ''), { ...query, cursor: undefined })
      route(fragment ? `${address}#${fragment}` : address)
      // The router does not notify other components of a fragment change.
      dispatchEvent(new HashChangeEvent('hashchange'))
    },
  ]
}

const fragmentChanges = ['hashchange', 'popstate', 'click'] as const

function definedOf(query: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]))
}
