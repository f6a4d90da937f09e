import type { AttributeTypeAndValue, Name } from '@peculiar/asn1-x509'

/**
 * Returns the text of a name for `issuingAuthority` of VICAL entries: its parts in the order of the certificate, with ", " between them.
 * Values are escaped as in RFC 4514, section 2.4. Types without a label are printed as OIDs.
 */
export function nameText(name: Name): string {
  return name.map((each) => [...each].map(attributeText).join('+')).join(', ')
}

function attributeText({ type, value }: AttributeTypeAndValue): string {
  const text = value.anyValue ? `#${Buffer.from(value.anyValue).toString('hex')}` : escaped(value.toString())
  return `${labels.get(type) ?? type}=${text}`
}

const labels = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'T'],
  ['2.5.4.42', 'G'],
  ['2.5.4.43', 'I'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
  ['1.2.840.113549.1.9.1', 'emailAddress'],
])

function escaped(text: string): string {
  return text
    .replaceAll(/[,+"\\<>;]/g, String.raw`\$&`)
    .replace(/^[ #]/, String.raw`\$&`)
    .replace(/ $/, String.raw`\ `)
    .replaceAll(/[\0\r\n\t]/g, (control) => `\\${control.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
}
