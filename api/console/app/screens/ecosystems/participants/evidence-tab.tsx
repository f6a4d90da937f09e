import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { Id } from '../../../kit/copy.tsx'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { DownloadButton } from '../../../kit/download.tsx'
import { Section } from '../../../kit/elements.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say } from '../../../kit/language.ts'
import { Named } from '../../../kit/named.tsx'
import { RowMenu } from '../../../kit/row-menu.tsx'
import { Empty } from '../../../kit/states.tsx'
import { type Column, PagedTable } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { useQuery } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { ShortTime } from '../../../kit/when.tsx'
import { mayChange, type Participant } from '../calls.ts'
import { participantTexts } from './texts.ts'
import { UploadForm } from './upload-form.tsx'

type Evidence = Schemas['ParticipantEvidence']

const fields: readonly Field[] = [
  { name: 'filename', label: participantTexts.filename, required: true },
  { name: 'fileDescription', label: participantTexts.description, kind: 'long', rows: 2 },
]

/** The evidence files of a participant. */
export function EvidenceTab({ of: { id: participantId, ecosystemId } }: { of: Participant }) {
  const [{ cursor }] = useQuery()
  const [uploads, setUploads] = useState(0)
  const path = { ecosystemId, participantId }
  const query = { limit: 50, ...(cursor && { cursor }) }
  const evidence = useRead(
    () =>
      callApi(
        api.GET('/v1/ecosystems/{ecosystemId}/participants/{participantId}/evidence', { params: { path, query } }),
      ),
    [ecosystemId, participantId, cursor],
  )
  const reload = () => void evidence.reload()
  const uploaded = () => {
    setUploads(uploads + 1)
    reload()
  }
  const own = `/v1/ecosystems/${ecosystemId}/participants/${participantId}/evidence`
  return (
    <Section title={say(participantTexts.evidence)}>
      <p class="soft">{say(participantTexts.uploadWhat)}</p>
      {mayChange() && <UploadForm key={uploads} path={own} onDone={uploaded} />}
      <div class="part">
        <PagedTable
          of={evidence}
          caption={participantTexts.evidence}
          columns={[
            ...columns,
            { head: commonTexts.actions, cell: (each) => <Acts of={each} at={path} onDone={reload} /> },
          ]}
          keyOf={({ id }) => id}
          empty={<Empty>{say(participantTexts.noEvidence)}</Empty>}
        />
      </div>
    </Section>
  )
}

const columns: readonly Column<Evidence>[] = [
  { head: participantTexts.filename, cell: ({ filename }) => filename },
  { head: participantTexts.description, cell: ({ fileDescription }) => fileDescription || '–' },
  { head: participantTexts.uploaded, cell: ({ uploadedAt }) => <ShortTime at={uploadedAt} /> },
  {
    head: participantTexts.uploadedBy,
    cell: ({ uploadedBy: { clientId, managementUserId } }) =>
      clientId ? <Named kind="client" id={clientId} /> : <Id value={managementUserId ?? ''} />,
  },
]

function Acts(props: { of: Evidence; at: { ecosystemId: string; participantId: string }; onDone: () => void }) {
  const { of, at, onDone } = props
  const one = '/v1/ecosystems/{ecosystemId}/participants/{participantId}/evidence/{evidenceId}'
  const params = { path: { ...at, evidenceId: of.id } }
  const file = `/v1/ecosystems/${at.ecosystemId}/participants/${at.participantId}/evidence/${of.id}/download`
  const download = (
    <DownloadButton
      calls="downloadParticipantEvidence"
      label={say(commonTexts.download)}
      path={file}
      name={of.filename}
    />
  )
  if (!mayChange()) return download
  return (
    <RowMenu>
      {download}
      <FormButton
        calls="updateParticipantEvidence"
        label={say(commonTexts.edit)}
        fields={fields}
        start={of}
        submit={({ filename, fileDescription = '' }) =>
          callApi(
            api.PUT(one, {
              params,
              body: { filename: String(filename), fileDescription: String(fileDescription) },
            }),
          )
        }
        onDone={onDone}
      />
      <ConfirmButton
        calls="deleteParticipantEvidence"
        label={say(commonTexts.delete)}
        title={of.filename}
        isDanger
        act={() => callApi(api.DELETE(one, { params }))}
        onDone={onDone}
      >
        <p>{say(participantTexts.deleteEvidence)}</p>
      </ConfirmButton>
    </RowMenu>
  )
}
