import { useEffect, useReducer } from 'preact/hooks'
import { useLocation } from 'preact-iso'

/** Addresses of the console: what a screen shows stands in them, so that back, reload and a link that is passed on show the same. */
export function to(path: string, query: Record<string, string | undefined> = {}): string {
  const search = new URLSearchParams(definedOf(query)).toString()
  return `/console${path || '/'}${search && `?${search}`}`
}

/** The query of the address, and how it is changed; a change of anything else goes back to the first page. */
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
 * The same behind `#`, which no browser sends: what is looked for is often about a person, and the API takes it in a body for that
 * reason. In the query it would stand in the logs of every server and proxy on the way. Back, reload and a link that is passed on
 * show the same all the same.
 */
export function useFragment(): [
  Readonly<Record<string, string | undefined>>,
  (values: Record<string, string | undefined>) => void,
] {
  const { path, query, route } = useLocation()
  const [, look] = useReducer((count: number, _event: Event) => count + 1, 0)
  useEffect(() => {
    // The router takes no notice of what changes there alone.
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
      // Nor does it tell of it, to this or to other parts of the screen.
      dispatchEvent(new HashChangeEvent('hashchange'))
    },
  ]
}

const fragmentChanges = ['hashchange', 'popstate', 'click'] as const

function definedOf(query: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]))
}
