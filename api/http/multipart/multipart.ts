import { z } from 'zod'

/** Form data with one file (RFC 7578), for the `consumes` of a route. The `body` of the route is an object of the fields. */
export interface Multipart {
  mediaType: 'multipart/form-data'
  /** The name of the part with the file. There must be exactly one. */
  file: string
  /** The limit of the file. The fields together have the `bodyLimitBytes` of the route. */
  limitBytes: number
  /** Buffers the file in memory, so that fields can follow it. */
  isHeld?: true
  /** Fields can follow the file. The handler has no `body`: it calls `call.form()` after it has read the file. */
  isReadFirst?: true
  /** The route also accepts JSON. The member with this name is a text with the content of the file. */
  orJson?: string
  /** An example of this text for the reference. */
  exampleText?: string
}

/**
 * Calls the handler when the file begins. The handler reads `call.file()` to its end before it answers. Fields must come before
 * the file, because they are parsed before the call. With `isHeld` or `isReadFirst` they can follow it.
 */
export function multipart(form: Omit<Multipart, 'mediaType'>): Multipart {
  return { mediaType: 'multipart/form-data', ...form }
}

export function isMultipart(consumes: readonly string[] | Multipart | undefined): consumes is Multipart {
  return consumes !== undefined && 'mediaType' in consumes
}

interface TakesForm {
  operation: string
  access: { kind: string }
  body?: z.ZodType | undefined
}

/** Returns the names of the fields. Throws if the route cannot accept a form. */
export function fieldsOf({ operation, access, body }: TakesForm): ReadonlySet<string> {
  if (!(body instanceof z.ZodObject)) throw new Error(`${operation} accepts a form: its body must be an object schema`)
  // The proof of a wallet can cover the whole body, which is never in memory.
  if (access.kind === 'wallet') throw new Error(`${operation} is for wallets: it must not accept a form`)
  return new Set(Object.keys(body.shape))
}
