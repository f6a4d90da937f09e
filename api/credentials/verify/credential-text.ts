import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { tooLarge } from '../../http/body.ts'
import type { Upload } from '../../http/multipart/read-multipart.ts'
import { resourceLimitExceeded } from './failures.ts'
import { detectImageType, isTooLarge, readImageSize } from './qr/image.ts'
import { verifiers } from './verifiers.ts'

/** The limits for an uploaded image and for an uploaded text. */
export const fileLimitBytes = 5_000_000
const textLimitBytes = 100_000
export const fileField = 'file'

/**
 * Returns the text of a credential: the content of a text file, or of the QR code in a PNG or JPEG. The bytes of the file determine
 * its type, not its declared type. Throws problems with status 400, 413, 415 and 503.
 */
export async function credentialText(
  { services }: Deps,
  upload: Upload,
  context: { tenantId: string; deadlineAt: number },
): Promise<string> {
  const bytes = await buffer(upload.stream)
  const kind = detectImageType(bytes)
  if (!kind) return plainText(bytes)
  const size = readImageSize(bytes, kind)
  if (size && isTooLarge(size))
    throw wrongFile('The image is too large. Send an image with at most 12.5 million pixels and 50 MB uncompressed.')
  const texts = await services.of(verifiers).qrCodes.run(bytes, context)
  if (!texts) throw resourceLimitExceeded()
  const [text, another] = texts
  if (text === undefined) throw wrongFile('The image has no readable QR code')
  if (another !== undefined) throw wrongFile('The image has more than one QR code. Send an image with one QR code.')
  return text.trim()
}

function plainText(bytes: Buffer): string {
  if (bytes.includes(0) || !isUtf8(bytes)) {
    throw new Problem('unsupported_media_type', { message: 'The file must be a text, a PNG or a JPEG' })
  }
  if (bytes.length > textLimitBytes) throw tooLarge(textLimitBytes, fileField)
  return bytes.toString().trim()
}

function wrongFile(msg: string): Problem {
  return new Problem('bad_request', { details: [{ msg, param: fileField, location: 'body' }] })
}
