import { type Answered, api, callApi, type Schemas } from '../../../kit/api.ts'
import { Id } from '../../../kit/copy.tsx'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { Badge, Section } from '../../../kit/elements.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { RowMenu } from '../../../kit/row-menu.tsx'
import { Empty } from '../../../kit/states.tsx'
import { type Column, PagedTable } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { TimeLeft } from '../../../kit/time-left.tsx'
import { UndoButton } from '../../../kit/undo.tsx'
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

/** The certificates by which lists name a participant. */
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
    () => callApi(api.GET(path, { params: { path: of, query: { limit: 1_000 } } })),
    [ecosystemId, participantId, role],
  )
  const reload = () => void certificates.reload()
  const add = mayChange() && (
    <FormButton
      calls="createParticipantIssuerCertificate"
      label={say(participantTexts.addCertificate)}
      isPrimary
      fields={newFields}
      start={{ active: true }}
      submit={(body: Schemas['ParticipantIssuerCertificateRequest']) =>
        callApi(api.POST(path, { params: { path: of }, body }))
      }
      onDone={reload}
    />
  )
  const title = role === 'issuer' ? participantTexts.asIssuer : participantTexts.asVerifier
  const change = (certificateId: string, body: object) =>
    callApi(api.PUT(`${path}/{certificateId}`, { params: { path: { ...of, certificateId } }, body }))
  const remove = (certificateId: string) =>
    callApi(api.DELETE(`${path}/{certificateId}`, { params: { path: { ...of, certificateId } } }))
  const acts = (certificate: Certificate) => (
    <Acts
      of={certificate}
      change={(body) => change(certificate.id, body)}
      remove={() => remove(certificate.id)}
      onDone={reload}
    />
  )
  return (
    <Section title={say(title)} actions={add}>
      <PagedTable
        of={certificates}
        caption={title}
        columns={mayChange() ? [...columns, { head: commonTexts.actions, cell: acts }] : columns}
        keyOf={({ id }) => id}
        empty={<Empty>{say(participantTexts.noCertificates)}</Empty>}
      />
    </Section>
  )
}

function Acts(props: {
  of: Certificate
  change: (body: object) => Promise<Answered<unknown>>
  remove: () => Promise<Answered<unknown>>
  onDone: () => void
}) {
  const { of, change, remove, onDone } = props
  const activate = (isActive: boolean) => change({ docTypes: of.docTypes ?? null, active: isActive })
  return (
    <RowMenu>
      <UndoButton
        calls="updateParticipantIssuerCertificate"
        label={say(of.active ? participantTexts.deactivate : participantTexts.activate)}
        act={() => activate(!of.active)}
        undo={() => activate(of.active)}
        onDone={onDone}
      />
      <FormButton
        calls="updateParticipantIssuerCertificate"
        label={say(commonTexts.edit)}
        fields={[docTypes, active]}
        start={of}
        submit={({ docTypes: types = null, ...body }) => change({ ...body, docTypes: types })}
        onDone={onDone}
      />
      <ConfirmButton
        calls="deleteParticipantIssuerCertificate"
        label={say(commonTexts.delete)}
        title={of.certificateData.commonName ?? say(participantTexts.certificate)}
        isDanger
        act={remove}
        onDone={onDone}
      >
        <p>{say(participantTexts.deleteCertificate)}</p>
      </ConfirmButton>
    </RowMenu>
  )
}

const columns: readonly Column<Certificate>[] = [
  {
    head: commonTexts.name,
    cell: ({ certificateData: { commonName, organisationName, country } }) => (
      <>
        {commonName ?? organisationName ?? '–'} <small>{country}</small>
      </>
    ),
  },
  {
    head: commonTexts.state,
    cell: ({ active: is }) => (
      <Badge mood={is ? 'good' : 'quiet'}>{say(is ? participantTexts.Active : participantTexts.Inactive)}</Badge>
    ),
  },
  {
    head: participantTexts.valid,
    cell: ({ certificateData: { notBefore, notAfter } }) => <TimeLeft from={notBefore} until={notAfter} />,
  },
  {
    head: participantTexts.docTypes,
    cell: ({ docTypes: types }) => (types ? <code>{types.join(', ')}</code> : say(participantTexts.allAssigned)),
  },
  { head: participantTexts.fingerprint, cell: ({ certificateFingerprint }) => <Id value={certificateFingerprint} /> },
]
