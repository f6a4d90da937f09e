import { randomBytes } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, type JWK } from 'jose'
import { Misconfigured } from '../../shared/process/dependency.ts'

/**
 * Texts that are encrypted for one receiver, as lines. Each line is a JWE in the compact form (RFC 7516). The first line is encrypted with
 * ECDH-ES for the key of the receiver and contains the key of the other lines. The protected header of each other line has its number,
 * and the last line says so. So a line that was changed, moved, removed or added is detected, and also a file that was cut.
 */
export interface LineSealer {
  /** The line that only the receiver can open. */
  firstLine: string
  sealLine(text: string, position: 'inside' | 'last'): Promise<string>
}

const enc = 'A256GCM'
const keyManagement = 'ECDH-ES+A256KW'

/** Starts a file. `header` is the text of the first line. */
export async function createLineSealer(receiver: JWK, header: string): Promise<LineSealer> {
  const key = randomBytes(32)
  const firstLine = await new CompactEncrypt(Buffer.from(JSON.stringify({ key: key.toString('base64url'), header })))
    .setProtectedHeader({ alg: keyManagement, enc, kid: receiver.kid ?? '' })
    .encrypt(receiver)
  let number = 0
  return {
    firstLine,
    sealLine(text, position) {
      number++
      const last = position === 'last' ? { last: true } : {}
      return new CompactEncrypt(Buffer.from(text))
        .setProtectedHeader({ alg: 'dir', enc, line: number, ...last })
        .encrypt(key)
    },
  }
}

export interface OpenedLines {
  /** The text of the first line. */
  header: string
  /** Yields the texts of the other lines. Throws Misconfigured for a line that is not the next one, and for a file without its last line. */
  texts: AsyncGenerator<string>
}

/** Opens a file. Throws Misconfigured if it is not encrypted for the key. */
export async function openLines(lines: AsyncIterator<string>, receiver: JWK): Promise<OpenedLines> {
  const { value: firstLine = '' } = await lines.next()
  const opened = await compactDecrypt(firstLine, receiver, {
    keyManagementAlgorithms: [keyManagement],
    contentEncryptionAlgorithms: [enc],
  }).catch((error) => {
    throw new Misconfigured(
      'The file is not an export for these keys, or it was changed. Compare the receiver that the export printed.',
      { cause: error },
    )
  })
  // Boundary: the plaintext of the first line was written by `createLineSealer`. Anything else fails at the next line.
  const { key, header } = JSON.parse(Buffer.from(opened.plaintext).toString()) as { key: string; header: string }
  return { header, texts: textsOf(lines, Buffer.from(key, 'base64url')) }
}

async function* textsOf(lines: AsyncIterator<string>, key: Buffer): AsyncGenerator<string> {
  for (let number = 1; ; number++) {
    const { value: line, done } = await lines.next()
    if (done) throw new Misconfigured('The file is incomplete: its end is missing. Copy it again.')
    const { plaintext, protectedHeader } = await compactDecrypt(line, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: [enc],
    }).catch((error) => {
      throw new Misconfigured(`The file was changed or cut in line ${number + 1}. Copy it again.`, { cause: error })
    })
    if (protectedHeader.line !== number)
      throw new Misconfigured(`The file was changed: line ${number + 1} is not the next one. Copy it again.`)
    yield Buffer.from(plaintext).toString()
    if (protectedHeader.last !== true) continue
    if (!(await lines.next()).done) throw new Misconfigured('The file was changed: it has lines after its end.')
    return
  }
}
