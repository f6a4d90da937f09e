import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { Collection } from '../../../kit/collection.tsx'
import { DialogButton } from '../../../kit/dialog-button.tsx'
import { say } from '../../../kit/language.ts'
import { can } from '../../../kit/session.ts'
import { Shown } from '../../../kit/states.tsx'
import type { Column } from '../../../kit/table.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { useRead } from '../../../kit/use-read.ts'
import { accessTexts } from '../texts.ts'
import { Checks } from '../tried.tsx'
import { ServerDetails } from './server-details.tsx'
import { ServerForm } from './server-form.tsx'
import { serverTexts as t } from './texts.ts'

type Server = Schemas['AuthorizationServer']

const path = '/v1/openid/authorization-servers'

/** The authorization servers of the tenant's own. Only the answer to a creation has warnings, so they are shown above the list. */
export function AuthorizationServers() {
  const [warnings, setWarnings] = useState<readonly string[]>([])
  return (
    <>
      {warnings.length > 0 && (
        <div class="note" role="status">
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </div>
      )}
      <Collection<Server>
        calls={{
          create: 'createAuthorizationServer',
          change: 'updateAuthorizationServer',
          remove: 'deleteAuthorizationServer',
        }}
        texts={t}
        guide="external-authorization-server"
        list={(query) => callApi(api.GET(path, { params: { query } }))}
        idOf={({ id }) => id}
        path={path}
        columns={columns}
        form={(server, end) => {
          const done = (newWarnings: readonly string[]) => {
            setWarnings(newWarnings)
            end()
          }
          return <ServerForm server={server} onSaved={done} onCancel={end} />
        }}
        actions={(server) => <Actions of={server} />}
        deletion={{
          word: ({ name }) => name,
          act: ({ id }) => callApi(api.DELETE(`${path}/{id}`, { params: { path: { id } } })),
        }}
      />
    </>
  )
}

const columns: readonly Column<Server>[] = [
  { head: commonTexts.name, cell: ({ name }) => name },
  { head: accessTexts.issuer, cell: ({ issuer }) => issuer },
  { head: t.check, cell: ({ introspection }) => say(introspection ? t.asked : t.signed) },
]

function Actions({ of: server }: { of: Server }) {
  const { id, name } = server
  return (
    <>
      <DialogButton label={say(commonTexts.show)} title={name}>
        {() => <ServerDetails of={server} />}
      </DialogButton>
      {can('testAuthorizationServer') && (
        <DialogButton label={say(accessTexts.tryIt)} title={`${say(accessTexts.tryIt)}: ${name}`}>
          {() => <Result id={id} />}
        </DialogButton>
      )}
    </>
  )
}

/** Tests the server while the dialog is open, and shows each check with its result. */
function Result({ id }: { id: string }) {
  const params = { path: { id } }
  const result = useRead(() => callApi(api.POST(`${path}/{id}/test`, { params })), [id])
  const names = { discovery: accessTexts.discovery, keys: accessTexts.keys, introspection: t.introspection }
  return <Shown of={result}>{(tested) => <Checks {...tested} names={names} />}</Shown>
}
