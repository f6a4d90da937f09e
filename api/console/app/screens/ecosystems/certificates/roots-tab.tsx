import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { Section } from '../../../kit/elements.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { filled, say } from '../../../kit/language.ts'
import { RowMenu } from '../../../kit/row-menu.tsx'
import { Empty, Shown } from '../../../kit/states.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { UndoButton } from '../../../kit/undo.tsx'
import { useRead } from '../../../kit/use-read.ts'
import { mayChangeCertificates } from '../calls.ts'
import { Addresses } from '../lists/addresses.tsx'
import { certificateColumns } from './certificate-columns.tsx'
import { certificateTexts } from './texts.ts'

type Root = Schemas['EcosystemCa']

const managedFields: readonly Field[] = [
  {
    ...{ name: 'commonName', label: certificateTexts.commonName, hint: certificateTexts.commonNameHint },
    required: true,
  },
  { name: 'organisationName', label: certificateTexts.organisation },
  { name: 'country', label: certificateTexts.country, hint: certificateTexts.countryHint, required: true },
  { name: 'notBefore', label: certificateTexts.notBefore, kind: 'date' },
  { name: 'notAfter', label: certificateTexts.notAfter, hint: certificateTexts.notAfterHint, kind: 'date' },
]
const ownFields: readonly Field[] = [
  {
    ...{ name: 'certificatePem', label: certificateTexts.pem, hint: certificateTexts.pemHint },
    ...{ kind: 'pem', required: true },
  },
]

/** The roots that certify list signers. Their keys are in this service or external. */
export function RootsTab() {
  const roots = useRead(() => callApi(api.GET('/v1/ecosystems/certificates/ca')), [])
  const reload = () => void roots.reload()
  return (
    <>
      <Section title={say(certificateTexts.roots)} actions={<Making onDone={reload} />}>
        <p class="soft">{say(certificateTexts.rootsWhat)}</p>
        <Shown of={roots}>
          {({ data }) =>
            data.length > 0 ? (
              <Table caption={certificateTexts.roots} columns={columnsOf(reload)} rows={data} keyOf={({ id }) => id} />
            ) : (
              <Empty>{say(certificateTexts.noRoot)}</Empty>
            )
          }
        </Shown>
      </Section>
      <Section title={say(certificateTexts.publicAddresses)}>
        <Addresses
          of={[
            [certificateTexts.publicRoots, '/v1/ecosystems/public/certificates/ca'],
            ...(roots.data?.data ?? []).map(crlOf),
          ]}
        />
      </Section>
    </>
  )
}

function crlOf({ id, certificateData: { commonName: name } }: Root) {
  return [filled(certificateTexts.crl, { name }), `/v1/ecosystems/certificates/ca/${id}/crl`] as const
}

function Making({ onDone }: { onDone: () => void }) {
  if (!mayChangeCertificates()) return null
  const submit = (body: Schemas['EcosystemCaRequest']) => callApi(api.POST('/v1/ecosystems/certificates/ca', { body }))
  return (
    <div class="actions">
      <FormButton
        calls="createEcosystemCa"
        label={say(certificateTexts.newRoot)}
        isPrimary
        fields={managedFields}
        submit={submit}
        onDone={onDone}
      />
      <FormButton
        calls="createEcosystemCa"
        label={say(certificateTexts.ownRoot)}
        title={say(certificateTexts.ownRootTitle)}
        fields={ownFields}
        submit={submit}
        onDone={onDone}
      />
    </div>
  )
}

function columnsOf(reload: () => void): readonly Column<Root>[] {
  const columns: Column<Root>[] = [
    ...certificateColumns,
    {
      head: certificateTexts.key,
      cell: ({ isManaged }) => say(isManaged ? certificateTexts.here : certificateTexts.elsewhere),
    },
  ]
  if (!mayChangeCertificates()) return columns
  return [...columns, { head: commonTexts.actions, cell: (root) => <Acts of={root} onDone={reload} /> }]
}

function Acts({ of: { id, active, certificateData: data }, onDone }: { of: Root; onDone: () => void }) {
  const path = '/v1/ecosystems/certificates/ca/{dtsCaCertificateId}'
  const params = { path: { dtsCaCertificateId: id } }
  return (
    <RowMenu>
      <UndoButton
        calls="updateEcosystemCa"
        label={say(active ? certificateTexts.deactivate : certificateTexts.activate)}
        isPrimary={!active}
        act={() => callApi(api.PUT(path, { params, body: { active: !active } }))}
        undo={() => callApi(api.PUT(path, { params, body: { active } }))}
        onDone={onDone}
      />
      {/* An active root is in use. */}
      {!active && (
        <ConfirmButton
          calls="deleteEcosystemCa"
          label={say(commonTexts.delete)}
          title={data.commonName}
          word={data.commonName}
          act={() => callApi(api.DELETE(path, { params }))}
          onDone={onDone}
        >
          <p>{say(certificateTexts.deleteRoot)}</p>
        </ConfirmButton>
      )}
    </RowMenu>
  )
}
