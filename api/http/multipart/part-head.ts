import { MIMEType } from 'node:util'
import { Problem } from '../../../shared/errors.ts'

/** What a part says of itself. */
export interface PartHead {
  name: string
  /** As the sender says it: nothing to make a path of. */
  fileName: string | undefined
  mediaType: string
}

export const maxHeaders = 20
export const maxHeaderBytes = 4000

/** Reads the headers of the part of this number, whose values have a character for each byte. Throws 400. */
export function partHeadOf(headers: Readonly<Record<string, readonly string[]>>, number: number): PartHead {
  const all = Object.entries(headers).flatMap(([name, values]) => values.map((value) => name.length + value.length))
  if (all.length >= maxHeaders || all.reduce((sum, each) => sum + each, 0) > maxHeaderBytes)
    throw wrongPart(`Part ${number} has more headers than a part needs`)
  const [disposition, another] = headers['content-disposition'] ?? []
  // The grammar of parameters is that of media types.
  const said = disposition !== undefined && another === undefined ? mimeOf(`form/${disposition}`) : undefined
  const name = said?.essence === 'form/form-data' ? said.params.get('name') : undefined
  if (!said || !name) throw wrongPart(`Part ${number} has no Content-Disposition of form-data with a name`)
  const fileName = said.params.get('filename')
  return {
    name: utf8Of(name),
    fileName: fileName === null ? undefined : utf8Of(fileName),
    mediaType: mimeOf(headers['content-type']?.[0] ?? '')?.essence ?? 'text/plain',
  }
}

/** What parts are told apart by; throws 400 where the request does not say it, or not as RFC 2046, section 5.1.1, has it. */
export function boundaryOf(contentType: string): string {
  const boundary = mimeOf(contentType)?.params.get('boundary')
  if (!boundary || !/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary))
    throw new Problem('malformed_body', {
      message: 'The Content-Type has no boundary that parts could be told apart by',
    })
  return boundary
}

export function wrongPart(msg: string, param = ''): Problem {
  return new Problem('bad_request', { details: [{ msg, param: param.slice(0, maxParamLength), location: 'body' }] })
}

const maxParamLength = 100

function mimeOf(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text)
  } catch {
    return undefined
  }
}

function utf8Of(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
