import { profileOf } from '../../../../shared/formats/x509/profiles.ts'
import type { CertificatePlan, CrlPlan, Opened, TranscriptLine } from './ceremony-step.ts'
import { sha256Hex } from './read-ceremony.ts'
import { findStep } from './step-recorder.ts'

/** Returns the page to print, which the people present sign. It follows from the transcript alone. */
export function summaryOf(lines: readonly TranscriptLine[], transcript: Buffer): string {
  const [first] = lines
  if (first?.step !== 'opened') throw new Error('a summary needs the first step')
  const { mode, name, ceremony, keys, product, rehearsal, transcriptKey } = first
  const operators = [...new Set(lines.map(({ operator }) => operator))]
  const files = lines.filter((line) => line.step === 'file written')
  return [
    mode === 'rehearsal' ? 'REHEARSAL OF A KEY CEREMONY. NOTHING OF IT MAY BE USED.' : 'KEY CEREMONY',
    '',
    ...facts({ Name: name, Operator: operators.join(', '), Began: first.at, Ended: lines.at(-1)?.at ?? '' }),
    ...facts({ Keys: keys, Program: `trustwright ${product}` }),
    '',
    ...facts({ 'Ceremony file': ceremony.sha256, ...(rehearsal && { Rehearsal: rehearsal.sha256 }) }),
    ...approvedBy(first),
    '',
    ...files.flatMap(({ id, file, sha256: digest }) => [
      ...madeLines(lines, id, file),
      ...facts({ '  SHA-256': digest }),
      '',
    ]),
    ...facts({
      Transcript: sha256Hex(transcript),
      'Transcript key': sha256Hex(Buffer.from(transcriptKey, 'base64url')),
    }),
    '',
    'Compare the SHA-256 of the transcript with "trustwright ceremony verify".',
    '',
    ...(mode === 'rehearsal'
      ? []
      : ['Present (name, signature):', '', ...Array<string>(3).fill(`${'_'.repeat(60)}\n`)]),
  ].join('\n')
}

function facts(values: Record<string, string>): string[] {
  return Object.entries(values).map(([name, value]) => `${`${name}:`.padEnd(15)} ${value}`)
}

function approvedBy({ approvals }: Opened): string[] {
  return approvals.flatMap(({ name, keyId }) => facts({ 'Approved by': `${name}, key ${keyId}` }))
}

function madeLines(lines: readonly TranscriptLine[], id: string, file: string): string[] {
  const certificate = findStep(lines, 'certificate planned', id)
  if (certificate) return certificateLines(certificate, file)
  const crl = findStep(lines, 'crl planned', id)
  return crl ? crlLines(crl, file) : []
}

function certificateLines(
  { kind, subject, serialNumber, notBefore, notAfter }: CertificatePlan,
  file: string,
): string[] {
  const { country, stateOrProvinceName, organisationName, commonName } = subject
  const name = [country, stateOrProvinceName, organisationName, commonName].filter(Boolean).join(', ')
  const { article, name: kindName } = profileOf(kind)
  return [
    `${file}: ${article} ${kindName}`,
    ...facts({ '  Subject': name, '  Serial': serialNumber, '  Valid': `${notBefore} to ${notAfter}` }),
  ]
}

function crlLines({ number, thisUpdate, nextUpdate }: CrlPlan, file: string): string[] {
  return [`${file}: the CRL ${number}`, ...facts({ '  Valid': `${thisUpdate} to ${nextUpdate}` })]
}
