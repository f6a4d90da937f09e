import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { CopyButton, Id } from '../../../kit/copy.tsx'
import { ConfirmButton } from '../../../kit/dialog.tsx'
import { SaveButton } from '../../../kit/download.tsx'
import { Section } from '../../../kit/elements.tsx'
import { FormButton } from '../../../kit/form-button.tsx'
import type { Field } from '../../../kit/form-values.ts'
import { say, verbatim } from '../../../kit/language.ts'
import { RowMenu } from '../../../kit/row-menu.tsx'
import { Empty, Shown } from '../../../kit/states.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { UndoButton } from '../../../kit/undo.tsx'
import { useRead } from '../../../kit/use-read.ts'
import { mayChangeCertificates, together } from '../calls.ts'
import type { ListKind } from '../lists/list-calls.ts'
import { certificateColumns } from './certificate-columns.tsx'
import { certificateTexts } from './texts.ts'

type Signer = Schemas['VicalSigner']
type Root = Schemas['EcosystemCa']

const certificateFields: readonly Field[] = [
  {
    ...{ name: 'certificatePem', label: certificateTexts.pem, hint: certificateTexts.signedHint },
    ...{ kind: 'pem', required: true },
  },
]

/** The signers of the lists of a kind. */
export function SignersTab({ kind }: { kind: ListKind }) {
  const read = useRead(() => loadSigners(kind), [kind])
  const reload = () => void read.reload()
  const title = kind === 'vical' ? certificateTexts.vicalSigners : certificateTexts.ricalSigners
  const roots = read.data?.roots.data ?? []
  const create = mayChangeCertificates() && roots.length > 0 && <Making kind={kind} roots={roots} onDone={reload} />
  return (
    <Section title={say(title)} actions={create}>
      <p class="soft">{say(certificateTexts.signersWhat)}</p>
      <Shown of={read}>
        {({ signers: { data } }) =>
          data.length > 0 ? (
            <Table caption={title} columns={columnsOf(kind, roots, reload)} rows={data} keyOf={({ id }) => id} />
          ) : (
            <Empty>{say(certificateTexts.noSigner)}</Empty>
          )
        }
      </Shown>
    </Section>
  )
}

async function loadSigners(kind: ListKind) {
  const [signers, roots] = await Promise.all([
    callApi(api.GET(`/v1/ecosystems/certificates/${kind}-signers` as const)),
    callApi(api.GET('/v1/ecosystems/certificates/ca')),
  ])
  return together<{ signers: { data: Signer[] }; roots: { data: Root[] } }>({ signers, roots })
}

function Making({ kind, roots, onDone }: { kind: ListKind; roots: readonly Root[]; onDone: () => void }) {
  const choices = roots.map(({ id, certificateData: { commonName } }) => ({
    value: id,
    label: verbatim(commonName),
  }))
  return (
    <FormButton
      calls="createVicalSigner"
      label={say(certificateTexts.newSigner)}
      fields={[{ name: 'caId', label: certificateTexts.root, kind: 'choice', choices, required: true }]}
      submit={({ caId }) =>
        callApi(api.POST(`/v1/ecosystems/certificates/${kind}-signers` as const, { body: { caId: String(caId) } }))
      }
      onDone={onDone}
    />
  )
}

function columnsOf(kind: ListKind, roots: readonly Root[], reload: () => void): readonly Column<Signer>[] {
  const columns: Column<Signer>[] = [
    ...certificateColumns,
    {
      head: certificateTexts.root,
      cell: ({ caId }) => roots.find(({ id }) => id === caId)?.certificateData.commonName ?? <Id value={caId} />,
    },
    {
      head: certificateTexts.request,
      cell: ({ csrPem }) => (csrPem ? <CopyButton text={csrPem} label={say(certificateTexts.request)} /> : '–'),
    },
  ]
  // A RICAL signer of a managed root is deleted with its root.
  const isRemovable = ({ caId }: Signer) => kind === 'vical' || !roots.find(({ id }) => id === caId)?.isManaged
  const acts = (signer: Signer) => <Acts of={signer} kind={kind} isRemovable={isRemovable(signer)} onDone={reload} />
  return [...columns, { head: commonTexts.actions, cell: acts }]
}

function Acts(props: { of: Signer; kind: ListKind; isRemovable: boolean; onDone: () => void }) {
  const { of, kind, isRemovable, onDone } = props
  const { id, active, certificatePem, csrPem, certificateData: data } = of
  const change = (body: SignerChange) => updateSigner(kind, id, body)
  return (
    <RowMenu>
      {/* For browsers without a clipboard. */}
      {csrPem && <SaveButton label={say(certificateTexts.saveCsr)} name={`${kind}-signer-${id}.csr`} text={csrPem} />}
      {mayChangeCertificates() && certificatePem && (
        <UndoButton
          calls="updateVicalSigner"
          label={say(active ? certificateTexts.deactivate : certificateTexts.activate)}
          act={() => change({ active: !active })}
          undo={() => change({ active })}
          onDone={onDone}
        />
      )}
      {mayChangeCertificates() && !certificatePem && csrPem && (
        <FormButton
          calls="updateVicalSigner"
          label={say(certificateTexts.giveCertificate)}
          isPrimary
          fields={certificateFields}
          submit={({ certificatePem: pem }) => change({ active: true, certificatePem: String(pem) })}
          onDone={onDone}
        />
      )}
      {mayChangeCertificates() && isRemovable && (
        <ConfirmButton
          calls="deleteVicalSigner"
          label={say(commonTexts.delete)}
          title={data?.commonName ?? say(certificateTexts.awaits)}
          isDanger
          act={() => deleteSigner(kind, id)}
          onDone={onDone}
        >
          <p>{say(certificateTexts.deleteSigner)}</p>
        </ConfirmButton>
      )}
    </RowMenu>
  )
}

interface SignerChange {
  active: boolean
  certificatePem?: string
}

const vicalSigner = '/v1/ecosystems/certificates/vical-signers/{vicalSignerId}'
const ricalSigner = '/v1/ecosystems/certificates/rical-signers/{ricalSignerId}'

function updateSigner(kind: ListKind, id: string, body: SignerChange) {
  return kind === 'vical'
    ? callApi(api.PUT(vicalSigner, { params: { path: { vicalSignerId: id } }, body }))
    : callApi(api.PUT(ricalSigner, { params: { path: { ricalSignerId: id } }, body }))
}

function deleteSigner(kind: ListKind, id: string) {
  return kind === 'vical'
    ? callApi(api.DELETE(vicalSigner, { params: { path: { vicalSignerId: id } } }))
    : callApi(api.DELETE(ricalSigner, { params: { path: { ricalSignerId: id } } }))
}
