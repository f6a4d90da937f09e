import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton, Dialog, ShownOnce } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { NameOrId } from '../../kit/named.tsx'
import { RowMenu } from '../../kit/row-menu.tsx'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { tenantTexts } from './texts.ts'

type Client = Schemas['Client']
type Secret = { clientId: string; clientSecret: string }

/** The management clients of a tenant, or of the platform. */
export function Clients({ tenantId, roles }: { tenantId: string; roles: readonly string[] }) {
  const [{ cursor }] = useQuery()
  const [isNew, setNew] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  const query = { limit: 50, ...(cursor && { cursor }) }
  const path = { tenantId }
  const clients = useRead(
    () => callApi(api.GET('/v1/tenants/{tenantId}/clients', { params: { path, query } })),
    [tenantId, cursor],
  )
  const show = (newSecret: Secret) => {
    setNew(false)
    setSecret(newSecret)
    void clients.reload()
  }
  const create = (
    <button type="button" class="primary" onClick={() => setNew(true)}>
      {say(tenantTexts.newClient)}
    </button>
  )
  const actions: Column<Client> = {
    head: tenantTexts.actions,
    cell: (client) => <Actions {...{ tenantId, client }} onSecret={show} onDeleted={() => void clients.reload()} />,
  }
  return (
    <Section title={say(tenantTexts.clients)} actions={create}>
      <PagedTable
        of={clients}
        caption={tenantTexts.clients}
        columns={[...columns, actions]}
        keyOf={({ clientId }) => clientId}
        empty={<Empty action={create}>{say(tenantTexts.noClients)}</Empty>}
      />
      {isNew && <NewClient {...{ tenantId, roles }} onDone={show} onClose={() => setNew(false)} />}
      {secret && (
        <ShownOnce
          title={say(tenantTexts.secretOf, { id: secret.clientId })}
          secret={secret.clientSecret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}

const columns: readonly Column<Client>[] = [
  { head: tenantTexts.clientName, cell: ({ name, clientId }) => <NameOrId name={name} id={clientId} /> },
  { head: tenantTexts.roles, cell: ({ roles }) => roles.join(', ') },
]

function NewClient(props: {
  tenantId: string
  roles: readonly string[]
  onDone: (made: Secret) => void
  onClose: () => void
}) {
  const { tenantId, roles, onDone, onClose } = props
  const choices = roles.map((each) => ({ value: each, label: verbatim(each) }))
  const fields: Field[] = [
    { name: 'name', label: tenantTexts.clientName, required: true },
    { name: 'role', label: tenantTexts.role, kind: 'choice', required: true, choices },
  ]
  const submit = ({ name, role }: Record<string, unknown>) => {
    // Boundary: the fields build the body of the operation, and the service validates it.
    const body = { name, roles: [role] } as Schemas['ClientRequest']
    return callApi(api.POST('/v1/tenants/{tenantId}/clients', { params: { path: { tenantId } }, body }))
  }
  return (
    <Dialog title={say(tenantTexts.newClient)} onClose={onClose}>
      <Form
        calls="createClient"
        fields={fields}
        action={say(commonTexts.create)}
        submit={submit}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function Actions(props: {
  tenantId: string
  client: Client
  onSecret: (secret: Secret) => void
  onDeleted: () => void
}) {
  const { tenantId, client, onSecret, onDeleted } = props
  const { clientId, name } = client
  const params = { path: { tenantId, clientId } }
  return (
    <RowMenu>
      <ConfirmButton
        calls="replaceClientSecret"
        label={say(tenantTexts.newSecret)}
        title={say(tenantTexts.newSecret)}
        act={() => callApi(api.POST('/v1/tenants/{tenantId}/clients/{clientId}/secret', { params, body: {} }))}
        onDone={onSecret}
      >
        <p>{say(tenantTexts.newSecretText, { name })}</p>
      </ConfirmButton>
      <ConfirmButton
        calls="deleteClient"
        isDanger
        label={say(commonTexts.delete)}
        title={say(tenantTexts.deleteClient, { name })}
        act={() => callApi(api.DELETE('/v1/tenants/{tenantId}/clients/{clientId}', { params }))}
        onDone={onDeleted}
      >
        <p>{say(tenantTexts.deleteClientText)}</p>
      </ConfirmButton>
    </RowMenu>
  )
}
