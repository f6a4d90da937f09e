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

function definedOf(query: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]))
}
