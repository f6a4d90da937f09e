import { joinChunks } from './join-chunks.ts'
import { TableError } from './table.ts'

/** The limits of what is decoded and parsed at once. */
const minPieceBytes = 16_384
const maxPieceBytes = 65_536

/**
 * Decodes UTF-8 or UTF-16 in pieces. A byte order mark, or a zero byte in the first character, selects UTF-16. Throws
 * `invalid_encoding` for all other bytes.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  for await (const chunk of joinChunks(bytes, minPieceBytes)) {
    decoder ??= decoderFor(chunk)
    for (let at = 0; at < chunk.length; at += maxPieceBytes) {
      yield decode(decoder, chunk.subarray(at, at + maxPieceBytes))
    }
  }
  if (decoder) yield decode(decoder)
}

type Decoder = ReturnType<typeof decoderFor>

function decoderFor(start: Uint8Array) {
  if (zipStart.every((byte, at) => start[at] === byte)) {
    throw new TableError('invalid_encoding', 'The file is a workbook or a ZIP archive. Save the sheet as "CSV UTF-8".')
  }
  return new TextDecoder(encodingOf(start), { fatal: true })
}

/** The start of a ZIP archive. The workbooks of spreadsheets are ZIP archives. */
const zipStart = [0x50, 0x4b, 0x03, 0x04]

function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return 'utf-8'
}

/** Without bytes, ends the text. A character that is cut off at the end is an error. */
function decode(decoder: Decoder, piece?: Uint8Array): string {
  try {
    return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
  } catch {
    const reason = `The file is not valid ${decoder.encoding.toUpperCase()}`
    throw new TableError('invalid_encoding', `${reason}. Save it as "CSV UTF-8", or in another format with UTF-8.`)
  }
}
