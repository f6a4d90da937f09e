import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { mediaTypeOf, parseBody } from '../body.ts'
import { parsePart } from '../problems.ts'
import { type Form, type FormRules, heldFile, readMultipart } from './read-multipart.ts'

/** Reads the form of a request, or its JSON body if the route accepts one instead. Throws 400, 413 and 415. */
export async function readForm(
  request: IncomingMessage,
  rawBody: () => Promise<Buffer>,
  rules: FormRules,
): Promise<Form> {
  const { orJson } = rules
  if (orJson === undefined || mediaTypeOf(request) !== 'application/json') return readMultipart(request, rules)
  const sent = (await parseBody(request, rawBody, ['application/json'])) ?? {}
  // Boundary: the schema checks this member. The fields are parsed later.
  const body = parsePart(z.looseObject({ [orJson]: z.string() }), sent, 'body') as Record<string, string>
  const { [orJson]: text = '', ...fields } = body
  return { ...heldFile({ fileName: undefined, mediaType: 'text/plain' }, Buffer.from(text)), fields: () => fields }
}
