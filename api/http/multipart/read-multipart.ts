import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { findProblem } from '../../../shared/errors.ts'
import { decode, mediaTypeOf, recordOf, tooLarge, unsupportedMediaType } from '../body.ts'
import type { Multipart } from './multipart.ts'
import { boundaryOf, wrongPart } from './part-head.ts'
import { type Part, type Parts, partsOf } from './parts.ts'

/** The file of a form, while it is sent. */
export interface Upload {
  /** As the sender says it: nothing to make a path of. */
  fileName: string | undefined
  /** What the sender says that it is. */
  mediaType: string
  /** Its bytes. Fails with the problem of a body that is too large, is cut off or goes on behind the file. */
  stream: Readable
}

/** A form up to its file. */
export interface Form {
  /** As those of a urlencoded form are, or as they stand in JSON; all that may stand behind the file are there once it was read. */
  fields(): Record<string, unknown>
  upload: Upload
  /** Throws where the file was not read to its end. */
  checkRead(): void
  /** Once the file is read, or nobody will read it. */
  close(): void
}

export interface FormRules extends Multipart {
  fields: ReadonlySet<string>
  /** Of the fields together. */
  fieldLimitBytes: number
}

/** Of boundaries, headers and what stands around the parts. */
const framingBytes = 100_000

/** Resolves when the file begins. Throws 400, 413 and 415, and then nothing is left open. */
export async function readMultipart(request: IncomingMessage, rules: FormRules): Promise<Form> {
  if (mediaTypeOf(request) !== rules.mediaType || request.headers['content-encoding'])
    throw unsupportedMediaType(request, [rules.mediaType, ...(rules.orJson ? ['application/json'] : [])])
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  const limitBytes = rules.limitBytes + rules.fieldLimitBytes + framingBytes
  if (Number(request.headers['content-length']) > limitBytes) throw tooLarge(rules.file)

  const parts = partsOf(request, boundary, { limitBytes, tooLarge: () => tooLarge(rules.file) })
  try {
    return await formOf(parts, rules)
  } catch (error) {
    parts.destroy(findProblem(error))
    throw error
  }
}

async function formOf(parts: Parts, rules: FormRules): Promise<Form> {
  const fields: [string, string][] = []
  let held: Omit<Form, 'fields'> | undefined
  let leftBytes = rules.fieldLimitBytes
  const readField = async (part: Part) => {
    if (!rules.fields.has(part.name)) throw wrongPart('Nobody asks for this part', part.name)
    if (part.fileName !== undefined) throw wrongPart('This is a field, and no file', part.name)
    const bytes = await buffer(atMost(leftBytes, part))
    leftBytes -= bytes.length
    fields.push([part.name, decode(bytes, `The field ${part.name}`)])
  }
  for (;;) {
    const part = await parts.next()
    if (!part && held) return { ...held, fields: () => recordOf(fields, 'body') }
    if (!part) throw wrongPart('There is no file', rules.file)
    if (part.name !== rules.file) await readField(part)
    else if (!rules.isHeld)
      return { ...uploaded(part, parts, rules, readField), fields: () => recordOf(fields, 'body') }
    else if (held) throw wrongPart(secondFile, part.name)
    else held = heldFile(part, await buffer(atMost(rules.limitBytes, part)))
  }
}

const secondFile = 'There is one file, and no second'

/** What is there as a whole, as an upload. */
export function heldFile(
  { fileName, mediaType }: Pick<Upload, 'fileName' | 'mediaType'>,
  bytes: Buffer,
): Omit<Form, 'fields'> {
  return {
    upload: { fileName, mediaType, stream: Readable.from([bytes]) },
    checkRead() {},
    close() {},
  }
}

function uploaded(
  part: Part,
  parts: Parts,
  { file, limitBytes, isReadFirst }: FormRules,
  readField: (part: Part) => Promise<void>,
): Omit<Form, 'fields'> {
  async function* content() {
    yield* atMost(limitBytes, part)
    for (let next = await parts.next(); next; next = await parts.next()) {
      if (next.name === file) throw wrongPart(secondFile, next.name)
      if (!isReadFirst) throw wrongPart('Fields come before the file', next.name)
      await readField(next)
    }
  }
  const stream = Readable.from(content(), { objectMode: false })
  // The handler may have given it up.
  stream.on('error', () => {})
  return {
    upload: { fileName: part.fileName, mediaType: part.mediaType, stream },
    checkRead() {
      if (!stream.readableEnded) throw stream.errored ?? new Error('a file was answered before it was read')
    },
    close() {
      stream.destroy()
      parts.destroy()
    },
  }
}

async function* atMost(limitBytes: number, { name, content }: Part): AsyncIterable<Buffer> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > limitBytes) throw tooLarge(name)
    yield chunk
  }
}
