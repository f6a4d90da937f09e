import { signal } from '@preact/signals'
import type { paths } from '../../../../shared/client/api.d.ts'

type Page = paths['/v1/configuration/objects']['get']['responses'][200]['content']['application/json']
export type ManagedObject = Page['data'][number]

/** The objects that configuration files made, by their path in the API. */
export const managedObjects = signal<ReadonlyMap<string, ManagedObject>>(new Map())

/** A change of such an object, which waits until the user confirms or cancels it. */
export const waitingChange = signal<{ object: ManagedObject; answer(isConfirmed: boolean): void } | undefined>(
  undefined,
)

/** The files of a tenant have at most 5,000 objects. */
const maxPages = 5
const freshForMs = 10_000
let loadedAt = Number.NEGATIVE_INFINITY

/** Reads the objects that files made. Does nothing if they were read a moment ago. Without a result, nothing is marked. */
export async function loadManagedObjects(): Promise<void> {
  if (performance.now() - loadedAt < freshForMs) return
  loadedAt = performance.now()
  const found = new Map<string, ManagedObject>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages && (page === 0 || cursor); page++) {
    const query = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) })
    // Without the client of the API, because the user did not request it.
    const response = await fetch(`/v1/configuration/objects?${query}`, { headers: { 'X-Console': 'poll' } }).catch(
      () => undefined,
    )
    if (!response?.ok) return
    const { data, nextCursor }: Page = await response.json()
    for (const object of data) if (object.resource) found.set(object.resource, object)
    cursor = nextCursor
  }
  managedObjects.value = found
}

/** Asks the user before a request changes an object that files made. The service refuses the change if the object is locked. */
export async function confirmChange({ method, url }: Pick<Request, 'method' | 'url'>): Promise<boolean> {
  const object = managedObjects.value.get(new URL(url).pathname)
  if (!object || object.isLocked || (method !== 'PUT' && method !== 'DELETE')) return true
  return new Promise((resolve) => {
    waitingChange.value = {
      object,
      answer(isConfirmed) {
        waitingChange.value = undefined
        resolve(isConfirmed)
      },
    }
  })
}
