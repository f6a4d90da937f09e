import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { Dialog, ShownOnce } from '../../kit/dialog.tsx'
import { Badge } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { NameOrId } from '../../kit/named.tsx'
import { can, session } from '../../kit/session.ts'
import { Loading } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { roleChoices, roleText } from './roles.ts'
import { accessTexts, clientTexts } from './texts.ts'
import { useOwnRoles } from './use-own-roles.ts'

type Client = Schemas['Client']

const fieldsOf = (ownRoles: readonly string[]): readonly Field[] => [
  { name: 'name', label: commonTexts.name, hint: accessTexts.clientNameHint, required: true },
  { name: 'roles', label: accessTexts.roles, kind: 'several', required: true, choices: roleChoices(ownRoles) },
]

/** The management clients: programs, and users who sign in by id and secret. */
export function Clients() {
  const tenantId = session.value?.tenantId ?? ''
  const [secret, setSecret] = useState<string>()
  const at = ({ clientId }: Client) => ({ path: { tenantId, clientId } })
  return (
    <>
      <Collection<Client>
        calls={{ create: 'createClient', change: 'updateClient', remove: 'deleteClient' }}
        texts={clientTexts}
        list={(query) => callApi(api.GET('/v1/tenants/{tenantId}/clients', { params: { path: { tenantId }, query } }))}
        idOf={({ clientId }) => clientId}
        columns={[
          {
            head: commonTexts.name,
            cell: ({ name, clientId }) => (
              <>
                <NameOrId name={name} id={clientId} />{' '}
                {clientId === session.value?.clientId && <Badge mood="good">{say(accessTexts.you)}</Badge>}
              </>
            ),
          },
          {
            head: accessTexts.roles,
            cell: ({ roles }) =>
              roles.map((each) => (
                <>
                  <Badge key={each} mood="quiet">
                    {say(roleText(each))}
                  </Badge>{' '}
                </>
              )),
          },
        ]}
        form={(client, end) => <ClientForm {...{ tenantId, client, end, setSecret }} />}
        actions={(client) => <NewSecret {...{ tenantId, client, setSecret }} />}
        deletion={{
          word: ({ name }) => name,
          act: (client) => callApi(api.DELETE('/v1/tenants/{tenantId}/clients/{clientId}', { params: at(client) })),
        }}
      />
      {secret !== undefined && (
        <ShownOnce title={say(accessTexts.clientSecret)} secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  )
}

interface Of {
  tenantId: string
  setSecret: (secret: string) => void
}

function ClientForm(props: Of & { client: Client | undefined; end: () => void }) {
  const { tenantId, client, end, setSecret } = props
  const ownRoles = useOwnRoles()
  if (!ownRoles) return <Loading />
  const fields = fieldsOf(ownRoles)
  if (!client)
    return (
      <Form
        calls="createClient"
        fields={fields}
        action={say(commonTexts.create)}
        submit={(body: Schemas['ClientRequest']) =>
          callApi(api.POST('/v1/tenants/{tenantId}/clients', { params: { path: { tenantId } }, body }))
        }
        onDone={({ clientSecret }) => {
          setSecret(clientSecret)
          end()
        }}
        onCancel={end}
      />
    )
  const params = { path: { tenantId, clientId: client.clientId } }
  return (
    <Form
      calls="updateClient"
      fields={fields}
      start={client}
      action={say(commonTexts.save)}
      submit={(body: Schemas['ClientRequest']) =>
        callApi(api.PUT('/v1/tenants/{tenantId}/clients/{clientId}', { params, body }))
      }
      onDone={end}
      onCancel={end}
    >
      {client.clientId === session.value?.clientId && <p class="note">{say(accessTexts.ownClient)}</p>}
    </Form>
  )
}

const overlaps: readonly Field[] = [
  {
    name: 'overlapSeconds',
    label: accessTexts.overlap,
    hint: accessTexts.overlapHint,
    kind: 'choice',
    required: true,
    choices: [
      { value: '3600', label: accessTexts.oneHour },
      { value: '86400', label: accessTexts.oneDay },
      { value: '604800', label: accessTexts.oneWeek },
      { value: '0', label: accessTexts.notAtAll },
    ],
  },
]

function NewSecret({ tenantId, client: { clientId, name }, setSecret }: Of & { client: Client }) {
  const [isOpen, setOpen] = useState(false)
  const params = { path: { tenantId, clientId } }
  if (!can('replaceClientSecret')) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {say(accessTexts.newSecret)}
      </button>
      {isOpen && (
        <Dialog title={`${say(accessTexts.newSecret)}: ${name}`} onClose={() => setOpen(false)}>
          <Form
            calls="replaceClientSecret"
            fields={overlaps}
            start={{ overlapSeconds: 3600 }}
            action={say(accessTexts.newSecret)}
            submit={({ overlapSeconds }) =>
              callApi(
                api.POST('/v1/tenants/{tenantId}/clients/{clientId}/secret', {
                  params,
                  body: { overlapSeconds: Number(overlapSeconds) },
                }),
              )
            }
            onDone={({ clientSecret }) => {
              setOpen(false)
              setSecret(clientSecret)
            }}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  )
}
