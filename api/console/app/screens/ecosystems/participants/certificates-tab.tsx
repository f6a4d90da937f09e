import { ActButton } from '../../../kit/act-button.tsx'
import { api, ask, type Schemas } from '../../../kit/api.ts'
import { Badge, Section } from '../../../kit/bits.tsx'
import { Id } from '../../../kit/copy.tsx'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { Left } from '../../../kit/left.tsx'
import { Empty } from '../../../kit/states.tsx'
import { type Column, PagedTable } from '../../../kit/table.tsx'
import { words } from '../../../kit/texts.ts'
import { useRead } from '../../../kit/use-read.ts'
import { mayChange, type Participant, type ParticipantRole } from '../calls.ts'
import { IdentifierCertificates } from './identifier-certificates.tsx'
import { participantTexts } from './texts.ts'

type Certificate = Schemas['ParticipantIssuerCertificate']

const docTypes: Field = {
  ...{ name: 'docTypes', label: participantTexts.docTypes, hint: participantTexts.docTypesHint },
  ...{ kind: 'lines', rows: 2 },
}
const active: Field = { name: 'active', label: participantTexts.counts, kind: 'tick' }
const newFields: readonly Field[] = [
  {
    ...{ name: 'certificatePem', label: participantTexts.certificate, hint: participantTexts.certificateHint },
    ...{ kind: 'pem', required: true },
  },
  docTypes,
  active,
]

/** By which certificates lists name a participant. */
export function CertificatesTab({ of, onChanged }: { of: Participant; onChanged: () => void }) {
  return (
    <>
      {of.isIssuer && <InRole of={of} as="issuer" />}
      {of.isVerifier && <InRole of={of} as="verifier" />}
      <IdentifierCertificates of={of} onChanged={onChanged} />
    </>
  )
}

function InRole({ of: { id: participantId, ecosystemId }, as: role }: { of: Participant; as: ParticipantRole }) {
  const path = `/v1/ecosystems/{ecosystemId}/participants/{participantId}/${role}-certificates` as const
  const of = { ecosystemId, participantId }
  const certificates = useRead(
    () => ask(api.GET(path, { params: { path: of, query: { limit: 1_000 } } })),
    [ecosystemId, participantId, role],
  )
  const reload = () => void certificates.reload()
  const add = mayChange() && (
    <FormButton
      label={say(participantTexts.addCertificate)}
      isPrimary
      fields={newFields}
      start={{ active: true }}
      submit={(body: Schemas['ParticipantIssuerCertificateRequest']) =>
        ask(api.POST(path, { params: { path: of }, body }))
      }
      onDone={reload}
    />
  )
  const title = role === 'issuer' ? participantTexts.asIssuer : participantTexts.asVerifier
  const change = (certificateId: string, body: object) =>
    ask(api.PUT(`${path}/{certificateId}`, { params: { path: { ...of, certificateId } }, body }))
  const acts = (certificate: Certificate) => (
    <div class="actions">
      <ActButton
        label={say(certificate.active ? participantTexts.deactivate : participantTexts.activate)}
        act={() => change(certificate.id, { docTypes: certificate.docTypes ?? null, active: !certificate.active })}
        onDone={reload}
      />
      <FormButton
        label={say(words.edit)}
        fields={[docTypes, active]}
        start={certificate}
        submit={({ docTypes: types = null, ...body }) => change(certificate.id, { ...body, docTypes: types })}
        onDone={reload}
      />
      <ConfirmButton
        label={say(words.delete)}
        title={certificate.certificateData.commonName ?? say(participantTexts.certificate)}
        isDanger
        act={() =>
          ask(api.DELETE(`${path}/{certificateId}`, { params: { path: { ...of, certificateId: certificate.id } } }))
        }
        onDone={reload}
      >
        <p>{say(participantTexts.deleteCertificate)}</p>
      </ConfirmButton>
    </div>
  )
  return (
    <Section title={say(title)} actions={add}>
      <PagedTable
        of={certificates}
        caption={title}
        columns={mayChange() ? [...columns, { head: words.actions, cell: acts }] : columns}
        keyOf={({ id }) => id}
        empty={<Empty>{say(participantTexts.noCertificates)}</Empty>}
      />
    </Section>
  )
}

const columns: readonly Column<Certificate>[] = [
  {
    head: words.name,
    cell: ({ certificateData: { commonName, organisationName, country } }) => (
      <>
        {commonName ?? organisationName ?? '–'} <small>{country}</small>
      </>
    ),
  },
  {
    head: words.state,
    cell: ({ active: is }) => (
      <Badge mood={is ? 'good' : 'quiet'}>{say(is ? participantTexts.Active : participantTexts.Inactive)}</Badge>
    ),
  },
  {
    head: participantTexts.valid,
    cell: ({ certificateData: { notBefore, notAfter } }) => <Left from={notBefore} until={notAfter} />,
  },
  {
    head: participantTexts.docTypes,
    cell: ({ docTypes: types }) =>
      types?.map((type) => (
        <div key={type}>
          <code>{type}</code>
        </div>
      )) ?? say(participantTexts.allAssigned),
  },
  { head: participantTexts.fingerprint, cell: ({ certificateFingerprint }) => <Id value={certificateFingerprint} /> },
]
