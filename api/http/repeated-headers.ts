import type { IncomingMessage } from 'node:http'
import { Problem } from '../../shared/errors/errors.ts'

/** Node keeps the first of these headers and drops the others. A proxy may have checked another one. */
const singular = new Set(['authorization', 'content-type', 'host'])

/** Refuses a request that repeats one of these headers. Node joins other repeated headers with commas. */
export function refuseRepeatedHeaders(request: IncomingMessage): void {
  const param = repeatedHeaderOf(request)
  if (param === undefined) return
  throw new Problem('bad_request', { details: [{ msg: 'Must not be repeated', param, location: 'headers' }] })
}

/** Returns the name of the first repeated header, in lower case. */
export function repeatedHeaderOf({ rawHeaders }: IncomingMessage): string | undefined {
  const seen: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    if (!singular.has(name)) continue
    if (seen.includes(name)) return name
    seen.push(name)
  }
  return undefined
}
