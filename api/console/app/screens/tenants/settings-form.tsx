import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import type { Typed } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import type { Reading } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { settingFields, settingsOf } from './setting-fields.ts'
import { settingTexts } from './texts.ts'

type Tenant = Schemas['Tenant']

/** The form of all settings of a tenant. It saves only if the tenant still has the version on the screen. */
export function SettingsForm({ of }: { of: Reading<Tenant> }) {
  const [isSaved, setSaved] = useState(false)
  return (
    <>
      {isSaved && (
        <p class="note" role="status">
          {say(commonTexts.saved)}
        </p>
      )}
      <Versioned of={of}>
        {(tenant, etag, showTheirs) => (
          <Settings
            {...{ tenant, etag }}
            onTheirs={showTheirs}
            onSaved={() => {
              setSaved(true)
              showTheirs()
            }}
          />
        )}
      </Versioned>
    </>
  )
}

function Settings(props: { tenant: Tenant; etag: string | undefined; onSaved: () => void; onTheirs: () => void }) {
  const { tenant, etag, onSaved, onTheirs } = props
  const [typed, setTyped] = useState<Typed>({})
  const submit = (body: Record<string, unknown>) => {
    const params = { path: { tenantId: tenant.id }, header: etag ? { 'If-Match': etag } : {} }
    // Boundary: the fields build the body of the operation, and the service validates it.
    return callApi(
      api.PUT('/v1/tenants/{tenantId}', { params, body: settingsOf(body) as Schemas['UpdateTenantRequest'] }),
    )
  }
  const text = (name: string) => String(typed[name] ?? '')
  const hasLimits = Object.keys(tenant.limits ?? {}).length > 0
  return (
    <div class="with-preview">
      <Form
        fields={settingFields}
        start={hasLimits ? tenant : { ...tenant, limits: undefined }}
        action={say(commonTexts.save)}
        submit={submit}
        onDone={onSaved}
        onTheirs={onTheirs}
        onTyped={setTyped}
      />
      <BrandingPreview
        name={text('name') || tenant.name}
        background={text('branding.backgroundColor')}
        accent={text('branding.accentColor')}
        note={text('branding.logoUrl') ? say(settingTexts.logoLater) : undefined}
      />
    </div>
  )
}
