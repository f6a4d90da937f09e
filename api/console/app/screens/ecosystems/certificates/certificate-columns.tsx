import type { Schemas } from '../../../kit/api.ts'
import { CopyButton, Id } from '../../../kit/copy.tsx'
import { Badge } from '../../../kit/elements.tsx'
import { KeyPlace } from '../../../kit/key-place.tsx'
import { say, verbatim } from '../../../kit/language.ts'
import type { Column } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { TimeLeft } from '../../../kit/time-left.tsx'
import { certificateTexts } from './texts.ts'

/** A root, or a signer whose certificate may still be missing. */
export type Certificate = Pick<Schemas['VicalSigner'], 'id' | 'active'> &
  Partial<Pick<Schemas['EcosystemCa'], 'provider' | 'certificatePem' | 'certificateFingerprint' | 'certificateData'>>

/** The columns that roots and signers share. */
export const certificateColumns: readonly Column<Certificate>[] = [
  { head: commonTexts.name, cell: ({ certificateData: data }) => <Name of={data} /> },
  {
    head: commonTexts.state,
    cell: (certificate) => (
      <>
        <State of={certificate} /> {certificate.provider !== 'software' && <KeyPlace provider={certificate.provider} />}
      </>
    ),
  },
  {
    head: certificateTexts.left,
    cell: ({ certificateData: data }) => (data ? <TimeLeft from={data.notBefore} until={data.notAfter} /> : '–'),
  },
  {
    head: certificateTexts.fingerprint,
    cell: ({ certificateFingerprint: fingerprint }) => (fingerprint ? <Id value={fingerprint} /> : '–'),
  },
  {
    head: verbatim('PEM'),
    cell: ({ certificatePem: pem }) => (pem ? <CopyButton text={pem} label="PEM" /> : '–'),
  },
]

function Name({ of }: { of: Schemas['CertificateData'] | undefined }) {
  if (!of) return <>–</>
  return (
    <>
      {of.commonName} <small>{[of.organisationName, of.country].filter(Boolean).join(', ')}</small>
    </>
  )
}

function State({ of: { active, certificatePem } }: { of: Certificate }) {
  if (!certificatePem) return <Badge mood="warn">{say(certificateTexts.awaits)}</Badge>
  return (
    <Badge mood={active ? 'good' : 'quiet'}>{say(active ? certificateTexts.active : certificateTexts.inactive)}</Badge>
  )
}
