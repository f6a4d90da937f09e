import { FormatError } from '../format-error.ts'

/** Parts of a certificate with their original bytes. A library that parses and encodes them could change the bytes. */
export interface RawCertificate {
  /** The octets of the integer, without leading zeros. */
  serialNumber: Buffer
  /** The DER of the names. */
  issuer: Buffer
  subject: Buffer
}

/** Reads the parts of a certificate (RFC 5280, section 4.1). Throws `invalid_certificate`. */
export function rawCertificate(der: Buffer): RawCertificate {
  const [signed] = elementsIn(elementAt(der, 0).content)
  const elements = signed ? elementsIn(signed.content) : []
  // `version` is the first element, with the explicit tag [0], unless it is version 1.
  const [serialNumber, , issuer, , subject] = elements[0]?.whole[0] === 0xa0 ? elements.slice(1) : elements
  if (!serialNumber || !issuer || !subject) throw unreadable()
  const octets = serialNumber.content
  const first = octets.findIndex((octet) => octet !== 0)
  return {
    serialNumber: first === -1 ? Buffer.alloc(0) : octets.subarray(first),
    issuer: issuer.whole,
    subject: subject.whole,
  }
}

interface Element {
  whole: Buffer
  content: Buffer
}

function elementsIn(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let offset = 0; offset < bytes.length; ) {
    const element = elementAt(bytes, offset)
    elements.push(element)
    offset += element.whole.length
  }
  return elements
}

/** Reads one element with a tag of one octet and a definite length (X.690, clause 8.1). */
function elementAt(bytes: Buffer, offset: number): Element {
  const first = bytes[offset + 1] ?? 0x80
  const sizeOfLength = first < 0x80 ? 0 : first & 0x7f
  const start = offset + 2 + sizeOfLength
  if (first === 0x80 || sizeOfLength > 4 || start > bytes.length) throw unreadable()
  const end = start + (sizeOfLength === 0 ? first : bytes.readUIntBE(offset + 2, sizeOfLength))
  if (end > bytes.length) throw unreadable()
  return { whole: bytes.subarray(offset, end), content: bytes.subarray(start, end) }
}

function unreadable(): FormatError {
  return new FormatError('invalid_certificate', 'a certificate cannot be read')
}
