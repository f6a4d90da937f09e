import { z } from 'zod'

/** Form data with one file (RFC 7578), in the `consumes` of a route whose `body` is an object of its fields. */
export interface Multipart {
  mediaType: 'multipart/form-data'
  /** The name of the part that is the file. There has to be exactly one. */
  file: string
  /** Of the file; the fields together have the `bodyLimitBytes` of the route. */
  limitBytes: number
  /** The file is kept in memory until all is there, so that fields may come behind it. */
  isHeld?: true
  /** Fields may come behind the file too: the handler has no `body`, and asks for `call.form()` once it has read the file. */
  isReadFirst?: true
  /** Besides, the same is taken as JSON: the member of this name is a text that stands for the file. */
  orJson?: string
  /** Such a text, for the reference. */
  exampleText?: string
}

/**
 * The handler is called when the file begins: it takes it with `call.file()` and reads it to its end before it answers.
 * Fields come before the file, since they are parsed before the handler is called: one behind it is refused (400). Unless the
 * file is held, or read first.
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

/** The names of its fields; throws where the route cannot take a form. */
export function fieldsOf({ operation, access, body }: TakesForm): ReadonlySet<string> {
  if (!(body instanceof z.ZodObject)) throw new Error(`${operation} takes a form and does not say its fields`)
  // A wallet's proof may be of the whole body, which is never there as a whole.
  if (access.kind === 'wallet') throw new Error(`${operation} takes a form, which wallets do not send`)
  return new Set(Object.keys(body.shape))
}
