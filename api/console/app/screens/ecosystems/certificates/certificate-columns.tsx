import type { Schemas } from '../../../kit/api.ts'
import { Badge } from '../../../kit/bits.tsx'
import { CopyButton, Id } from '../../../kit/copy.tsx'
import { say } from '../../../kit/language.ts'
import { Left } from '../../../kit/left.tsx'
import type { Column } from '../../../kit/table.tsx'
import { words } from '../../../kit/texts.ts'
import { certificateTexts } from './texts.ts'

/** A root, or a signer that may still wait for its certificate. */
export type Certificate = Pick<Schemas['VicalSigner'], 'id' | 'active'> &
  Partial<Pick<Schemas['EcosystemCa'], 'certificatePem' | 'certificateFingerprint' | 'certificateData'>>

/** What both have. */
export const certificateColumns: readonly Column<Certificate>[] = [
  { head: words.name, cell: ({ certificateData: data }) => <Name of={data} /> },
  { head: words.state, cell: (certificate) => <State of={certificate} /> },
  {
    head: certificateTexts.left,
    cell: ({ certificateData: data }) => (data ? <Left from={data.notBefore} until={data.notAfter} /> : '–'),
  },
  {
    head: certificateTexts.fingerprint,
    cell: ({ certificateFingerprint: fingerprint, certificatePem: pem }) =>
      fingerprint && pem ? (
        <>
          <Id value={fingerprint} />
          <br />
          <CopyButton text={pem} label="PEM" /> <small>PEM</small>
        </>
      ) : (
        '–'
      ),
  },
]

function Name({ of }: { of: Schemas['CertificateData'] | undefined }) {
  if (!of) return <>–</>
  return (
    <>
      {of.commonName}
      <br />
      <small>{[of.organisationName, of.country].filter(Boolean).join(', ')}</small>
    </>
  )
}

function State({ of: { active, certificatePem } }: { of: Certificate }) {
  if (!certificatePem) return <Badge mood="warn">{say(certificateTexts.awaits)}</Badge>
  return (
    <Badge mood={active ? 'good' : 'quiet'}>{say(active ? certificateTexts.active : certificateTexts.inactive)}</Badge>
  )
}
