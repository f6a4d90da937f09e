import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { findProblem } from '../../../shared/errors/errors.ts'
import { decode, mediaTypeOf, recordOf, tooLarge, unsupportedMediaType } from '../body.ts'
import { allowSlowBody } from '../slow-bodies.ts'
import type { Multipart } from './multipart.ts'
import { boundaryOf, wrongPart } from './part-head.ts'
import { type BodyPart, type Parts, partsOf } from './parts.ts'

/** The file of a form, while the client sends it. */
export interface Upload {
  /** The name from the client. Do not use it in a path. */
  fileName: string | undefined
  /** The media type from the client. */
  mediaType: string
  /** The bytes. Fails with a problem if the body is too large, is incomplete or has unexpected parts after the file. */
  stream: Readable
}

/** A form that was read up to its file. */
export interface Form {
  /** The fields as in a urlencoded form or in JSON. Fields after the file are present when the file has been read. */
  fields(): Record<string, unknown>
  upload: Upload
  /** Throws if the file was not read to its end. */
  checkRead(): void
  /** Call it when the file has been read or is not needed. */
  close(): void
}

export interface FormRules extends Multipart {
  fields: ReadonlySet<string>
  /** The limit of all fields together. */
  fieldLimitBytes: number
}

/** The limit of boundaries, headers and the bytes around the parts. */
const framingBytes = 100_000

/** Resolves when the file begins. Throws 400, 413 and 415, and then closes all parts. */
export async function readMultipart(request: IncomingMessage, rules: FormRules): Promise<Form> {
  if (mediaTypeOf(request) !== rules.mediaType || request.headers['content-encoding'])
    throw unsupportedMediaType(request, [rules.mediaType, ...(rules.orJson ? ['application/json'] : [])])
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  const limitBytes = rules.limitBytes + rules.fieldLimitBytes + framingBytes
  if (Number(request.headers['content-length']) > limitBytes) throw tooLarge(rules.limitBytes, rules.file)

  const parts = partsOf(request, boundary, { limitBytes, tooLarge: () => tooLarge(rules.limitBytes, rules.file) })
  allowSlowBody(request, parts.destroy)
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
  const readField = async (part: BodyPart) => {
    if (!rules.fields.has(part.name)) throw wrongPart('Unknown part', part.name)
    if (part.fileName !== undefined) throw wrongPart('Must be a field without a file name', part.name)
    const bytes = await buffer(atMost(leftBytes, part))
    leftBytes -= bytes.length
    fields.push([part.name, decode(bytes, `The field ${part.name}`)])
  }
  const fieldsRead = () => recordOf(fields, 'body')
  for (let part = await parts.next(); part; part = await parts.next()) {
    if (part.name !== rules.file) await readField(part)
    else if (!rules.isHeld) return { ...uploaded(part, parts, rules, readField), fields: fieldsRead }
    else if (held) throw wrongPart(secondFile, part.name)
    else held = heldFile(part, await buffer(atMost(rules.limitBytes, part)))
  }
  if (!held) throw wrongPart('The file is missing', rules.file)
  return { ...held, fields: fieldsRead }
}

const secondFile = 'Must not have more than one file'

/** Makes an upload of bytes in memory. */
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
  part: BodyPart,
  parts: Parts,
  { file, limitBytes, isReadFirst }: FormRules,
  readField: (part: BodyPart) => Promise<void>,
): Omit<Form, 'fields'> {
  async function* content() {
    yield* atMost(limitBytes, part)
    for (let next = await parts.next(); next; next = await parts.next()) {
      if (next.name === file) throw wrongPart(secondFile, next.name)
      if (!isReadFirst) throw wrongPart('Must come before the file', next.name)
      await readField(next)
    }
  }
  const stream = Readable.from(content(), { objectMode: false })
  // Prevents an unhandled error after the handler stopped reading.
  stream.on('error', () => {})
  return {
    upload: { fileName: part.fileName, mediaType: part.mediaType, stream },
    checkRead() {
      if (!stream.readableEnded) throw stream.errored ?? new Error('the handler answered before it read the file')
    },
    close() {
      stream.destroy()
      parts.destroy()
    },
  }
}

async function* atMost(limitBytes: number, { name, content }: BodyPart): AsyncIterable<Buffer> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > limitBytes) throw tooLarge(limitBytes, name)
    yield chunk
  }
}
