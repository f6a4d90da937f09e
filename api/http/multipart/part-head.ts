import { MIMEType } from 'node:util'
import { Problem } from '../../../shared/errors/errors.ts'

/** The headers of a part. */
export interface PartHead {
  name: string
  /** The name from the client. Do not use it in a path. */
  fileName: string | undefined
  mediaType: string
}

export const maxHeaders = 20
export const maxHeaderBytes = 4000

/** Reads the headers of a part. Their values have one character for each byte. Throws 400. */
export function partHeadOf(headers: Readonly<Record<string, readonly string[]>>, number: number): PartHead {
  const all = Object.entries(headers).flatMap(([name, values]) => values.map((value) => name.length + value.length))
  if (all.length >= maxHeaders || all.reduce((sum, each) => sum + each, 0) > maxHeaderBytes)
    throw wrongPart(`Part ${number} has too many or too long headers`)
  const [disposition, another] = headers['content-disposition'] ?? []
  // The grammar of parameters is that of media types.
  const said = disposition !== undefined && another === undefined ? mimeOf(`form/${disposition}`) : undefined
  const name = said?.essence === 'form/form-data' ? said.params.get('name') : undefined
  if (!said || !name) throw wrongPart(`Part ${number} must have one Content-Disposition of form-data with a name`)
  const fileName = said.params.get('filename')
  return {
    name: utf8Of(name),
    fileName: fileName === null ? undefined : utf8Of(fileName),
    mediaType: mimeOf(headers['content-type']?.[0] ?? '')?.essence ?? 'text/plain',
  }
}

/** Returns the boundary of the parts (RFC 2046, section 5.1.1). Throws 400 if it is missing or invalid. */
export function boundaryOf(contentType: string): string {
  const boundary = mimeOf(contentType)?.params.get('boundary')
  if (!boundary || !/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary))
    throw new Problem('malformed_body', {
      message: 'The Content-Type must have a valid boundary',
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
