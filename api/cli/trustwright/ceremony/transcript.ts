import { createPublicKey, type KeyObject } from 'node:crypto'
import { verifyEcdsa } from '../../../../shared/formats/ecdsa.ts'
import { TranscriptLine } from './ceremony-step.ts'
import { sha256Hex } from './read-ceremony.ts'

export interface ReadTranscript {
  lines: TranscriptLine[]
  /** The bytes of the complete lines. */
  bytes: Buffer
  /** SHA-256 of the last line. */
  last: string
  isSigned: boolean
  /** The first wrong line. */
  fault?: string
}

/** Returns the text of a line, without its line end. */
export function textOfLine(line: object): string {
  return JSON.stringify(line)
}

/** Returns the bytes that are signed: the last line without its signature. */
export function bytesToSign(line: object): Buffer {
  return Buffer.from(`trustwright ceremony transcript\n${textOfLine({ ...line, signature: undefined })}`)
}

/** Reads a transcript, and finds the line that was changed. A last line without its end was interrupted, and is left out. */
export function readTranscript(all: Buffer): ReadTranscript {
  const end = all.lastIndexOf(lineEnd) + 1
  const bytes = all.subarray(0, end)
  const lines: TranscriptLine[] = []
  const hashes: string[] = []
  for (let start = 0; start < end; ) {
    const next = bytes.indexOf(lineEnd, start)
    const line = parseLine(bytes.subarray(start, next))
    if (!line || line.line !== lines.length + 1)
      return withFault(bytes, lines, hashes, `Line ${lines.length + 1} was changed: it is not a line of a transcript.`)
    lines.push(line)
    hashes.push(sha256Hex(bytes.subarray(start, next)))
    start = next + 1
  }
  return withFault(bytes, lines, hashes, faultOfChain(lines, hashes))
}

const lineEnd = 0x0a

function withFault(
  bytes: Buffer,
  lines: TranscriptLine[],
  hashes: string[],
  fault: string | undefined,
): ReadTranscript {
  const isSigned = lines.at(-1)?.step === 'signed'
  return { lines, bytes, last: hashes.at(-1) ?? '', isSigned, ...(fault !== undefined && { fault }) }
}

function parseLine(bytes: Buffer): TranscriptLine | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const line = JSON.parse(text)
    // Another text with the same meaning is a change, too.
    return textOfLine(line) === text ? TranscriptLine.parse(line) : undefined
  } catch {
    return undefined
  }
}

/** A change breaks the chain after its line. A changed hash of the line before breaks it before the line as well. */
function faultOfChain(lines: readonly TranscriptLine[], hashes: readonly string[]): string | undefined {
  const end = lines.findIndex(({ step }) => step === 'signed')
  if (end >= 0 && end < lines.length - 1) return `Line ${end + 2} was added: the transcript ends with its signature.`
  const isWrong = (index: number) =>
    index === lines.length - 1
      ? index === end && !isSignatureValid(lines)
      : lines[index + 1]?.previous !== hashes[index]
  let wrong = lines.findIndex((_line, index) => isWrong(index))
  if (wrong < 0) return undefined
  while (wrong < lines.length - 1 && isWrong(wrong + 1)) wrong++
  const reason = wrong === end ? 'its signature is wrong' : 'the next line has another hash of it'
  return `Line ${wrong + 1} was changed: ${reason}.`
}

function isSignatureValid(lines: readonly TranscriptLine[]): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (first?.step !== 'opened' || last?.step !== 'signed') return false
  const signature = Buffer.from(last.signature, 'base64url')
  const key = keyFrom(first.transcriptKey)
  if (!key || signature.toString('base64url') !== last.signature) return false
  return verifyEcdsa('P-256', bytesToSign(last), key, signature)
}

function keyFrom(spki: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki, 'base64url'), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}
