import jsonc from 'jsonc-parser'

/** A JSON value, or why a text is not one that every parser reads alike. */
export type StrictJson = { readonly value: unknown } | { readonly fault: 'malformed' | 'duplicate_member' | 'too_deep' }

/**
 * Parses UTF-8 JSON of external tokens. Refuses duplicate members, which parsers resolve differently (RFC 7519, section 4), and more
 * than `maxDepth` levels. The time is linear in the size.
 */
export function parseStrictJson(bytes: Uint8Array, maxDepth: number): StrictJson {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    value = JSON.parse(text)
  } catch {
    return { fault: 'malformed' }
  }
  // A text of few levels that serializes to itself has no duplicate members. The complete check costs ten times as much.
  if (countOpenings(text) <= maxDepth && JSON.stringify(value) === text) return { value }
  const fault = findFault(text, maxDepth)
  return fault ? { fault } : { value }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function countOpenings(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === openBrace || code === openBracket) count++
  }
  return count
}

const openBrace = '{'.charCodeAt(0)
const openBracket = '['.charCodeAt(0)

function findFault(text: string, maxDepth: number): 'duplicate_member' | 'too_deep' | undefined {
  let depth = 0
  let fault: 'duplicate_member' | 'too_deep' | undefined
  const members: Set<string>[] = []
  const stop = (reason: typeof fault) => {
    fault = reason
    throw faultFound
  }
  const enter = () => {
    if (++depth > maxDepth) stop('too_deep')
  }
  const leave = () => {
    depth--
  }
  try {
    jsonc.visit(text, {
      onObjectBegin() {
        enter()
        members.push(new Set())
      },
      onObjectEnd() {
        leave()
        members.pop()
      },
      onArrayBegin: enter,
      onArrayEnd: leave,
      onObjectProperty(name) {
        const own = members.at(-1)
        if (own?.has(name)) stop('duplicate_member')
        own?.add(name)
      },
    })
  } catch (error) {
    if (error !== faultFound) throw error
  }
  return fault
}

const faultFound = new Error('fault found')
