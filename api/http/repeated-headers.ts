import type { IncomingMessage } from 'node:http'
import { Problem } from '../../shared/errors.ts'

/** Of these node keeps the first and drops the rest, which whoever stands before us may have looked at instead. */
const singular = new Set(['authorization', 'content-type', 'host'])

/** Refuses a request that says twice what counts once. Repeated headers of other names come joined by commas. */
export function refuseRepeatedHeaders(request: IncomingMessage): void {
  const param = repeatedHeaderOf(request)
  if (param === undefined) return
  throw new Problem('bad_request', { details: [{ msg: 'Sent more than once', param, location: 'headers' }] })
}

/** In lower case. */
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
