import { useLocation, useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Tabs } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { session } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Clients } from './clients.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TenantFacts } from './tenant-facts.tsx'
import { tenantTexts } from './texts.ts'

/** One tenant with its settings and clients. For the platform, only its clients. */
export default function TenantScreen() {
  const { id = '' } = useRoute().params
  const up = { href: to('/tenants'), title: say(tenantTexts.tenants) }
  if (id !== session.value?.tenantId) return <OneTenant key={id} id={id} />
  return (
    <Screen title={say(tenantTexts.platformClients)} up={up}>
      <Clients tenantId={id} roles={['platform']} />
    </Screen>
  )
}

const roles = [
  ...(['admin', 'issuer', 'managed-issuer', 'verifier', 'dts-provider', 'dts-consumer'] as const),
  ...(['auditor', 'holder'] as const),
]

function OneTenant({ id }: { id: string }) {
  const read = () => callApi(api.GET('/v1/tenants/{tenantId}', { params: { path: { tenantId: id } } }))
  const reading = useRead(read, [id])
  return (
    <Screen
      title={reading.data?.name ?? say(tenantTexts.tenant)}
      up={{ href: to('/tenants'), title: say(tenantTexts.tenants) }}
      actions={
        reading.data && (
          <>
            <MoveButton tenant={reading.data} onDone={() => void reading.reload()} />
            <DeleteButton tenant={reading.data} />
          </>
        )
      }
    >
      <Shown of={reading}>
        {(tenant) => (
          <>
            <section>
              <TenantFacts tenant={tenant} />
            </section>
            <Tabs
              of={[
                {
                  name: 'settings',
                  title: tenantTexts.settings,
                  body: () => (
                    <section>
                      <SettingsForm of={reading} />
                    </section>
                  ),
                },
                { name: 'clients', title: tenantTexts.clients, body: () => <Clients tenantId={id} roles={roles} /> },
              ]}
            />
          </>
        )}
      </Shown>
    </Screen>
  )
}

/** Makes the tenant read-only before it moves to another installation, or ends this. */
function MoveButton({ tenant: { id, isReadOnly }, onDone }: { tenant: Schemas['Tenant']; onDone: () => void }) {
  const label = say(isReadOnly ? tenantTexts.endMove : tenantTexts.startMove)
  const of = { params: { path: { tenantId: id } } }
  const path = '/v1/tenants/{tenantId}/move'
  return (
    <ConfirmButton
      calls={isReadOnly ? 'endTenantMove' : 'startTenantMove'}
      {...{ label, onDone }}
      title={label}
      act={() => callApi(isReadOnly ? api.DELETE(path, of) : api.POST(path, of))}
    >
      <p>{say(isReadOnly ? tenantTexts.endMoveText : tenantTexts.startMoveText)}</p>
    </ConfirmButton>
  )
}

function DeleteButton({ tenant: { id, subdomain } }: { tenant: Schemas['Tenant'] }) {
  const { route } = useLocation()
  return (
    <ConfirmButton
      calls="deleteTenant"
      label={say(tenantTexts.delete)}
      title={say(tenantTexts.delete)}
      word={subdomain}
      act={() => callApi(api.DELETE('/v1/tenants/{tenantId}', { params: { path: { tenantId: id } } }))}
      onDone={() => route(to('/tenants'))}
    >
      <p>{say(tenantTexts.deleteText)}</p>
    </ConfirmButton>
  )
}
