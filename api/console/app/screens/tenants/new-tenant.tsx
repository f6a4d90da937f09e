import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ShownOnce } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { to } from '../../kit/url-state.ts'
import { newTenantFields } from './setting-fields.ts'
import { tenantTexts } from './texts.ts'

/** Creates a tenant and shows the secret of its first client once. */
export default function NewTenant() {
  const { route } = useLocation()
  const [made, setMade] = useState<Schemas['CreatedTenant']>()
  const submit = (body: Schemas['TenantRequest']) => callApi(api.POST('/v1/tenants', { body }))
  return (
    <Screen title={say(tenantTexts.create)} up={{ href: to('/tenants'), title: say(tenantTexts.tenants) }}>
      <section>
        <p class="soft">{say(tenantTexts.createAdvice)}</p>
        <Form
          calls="createTenant"
          fields={newTenantFields}
          action={say(tenantTexts.createAction)}
          submit={submit}
          onDone={setMade}
          onCancel={() => route(to('/tenants'))}
        />
      </section>
      {made && (
        <ShownOnce
          title={say(tenantTexts.firstSecret, { id: made.client.clientId })}
          secret={made.client.clientSecret}
          onClose={() => route(to(`/tenants/${made.id}`))}
        />
      )}
    </Screen>
  )
}
