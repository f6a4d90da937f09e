import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { Problem } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'
import { tooLarge } from '../../http/body.ts'
import type { Upload } from '../../http/multipart/read-multipart.ts'
import { tooExpensive } from './failures.ts'
import { imageKindOf, isTooLarge, sizeOf } from './qr/image.ts'

/** Of the file: an image, or the text itself, which is far shorter. */
export const fileLimitBytes = 5_000_000
const textLimitBytes = 100_000
export const fileField = 'file'

/**
 * The text of a credential: of the file as it is, or of the QR code in it, where it is a PNG or a JPEG. What it is, its bytes
 * say and not its sender. Throws 400, 413, 415 and 503.
 */
export async function credentialText(
  { verifiers }: Deps,
  upload: Upload,
  whose: { tenantId: string; deadlineAt: number },
): Promise<string> {
  const bytes = await buffer(upload.stream)
  const kind = imageKindOf(bytes)
  if (!kind) return plainText(bytes)
  const size = sizeOf(bytes, kind)
  if (size && isTooLarge(size)) throw wrongFile('The image has more than 12.5 million pixels, or too many colours')
  const texts = await verifiers.qrCodes.run(bytes, whose)
  if (!texts) throw tooExpensive()
  const [text, another] = texts
  if (text === undefined) throw wrongFile('There is no QR code in this image that could be read')
  if (another !== undefined) throw wrongFile('There is more than one QR code in this image')
  return text.trim()
}

function plainText(bytes: Buffer): string {
  if (bytes.includes(0) || !isUtf8(bytes)) {
    throw new Problem('unsupported_media_type', { message: 'The file is to be text, a PNG or a JPEG' })
  }
  if (bytes.length > textLimitBytes) throw tooLarge(fileField)
  return bytes.toString().trim()
}

function wrongFile(msg: string): Problem {
  return new Problem('bad_request', { details: [{ msg, param: fileField, location: 'body' }] })
}
