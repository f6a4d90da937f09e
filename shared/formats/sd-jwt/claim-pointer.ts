/** A path to a claim: names, indexes from 0, and null for all elements of an array (OpenID4VCI 1.0, appendix C). */
export type ClaimPointer = readonly (string | number | null)[]

const plainName = /^[^.[\]'"\\\s]+$/u

/** Returns a path for a message, in the notation of claim sources: `degrees[0].type`, `degrees[].type`, `['a.b'].c`. */
export function pointerText(pointer: ClaimPointer): string {
  return pointer.map(segmentText).join('').replace(/^\./u, '')
}

function segmentText(segment: string | number | null): string {
  if (typeof segment === 'number') return `[${segment}]`
  if (segment === null) return '[]'
  // A control character or a lone surrogate would not survive a log or a response.
  const name = segment.toWellFormed().replace(/\p{Cc}/gu, '\u{FFFD}')
  return plainName.test(name) ? `.${name}` : `['${name.replace(/['\\]/gu, '\\$&')}']`
}
