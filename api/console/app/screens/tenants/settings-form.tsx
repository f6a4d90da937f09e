import { api, callApi, type Schemas } from '../../kit/api.ts'
import type { Reading } from '../../kit/use-read.ts'
import { BrandedForm, type FormOfVersion, SavedVersions } from './branded-form.tsx'
import { useKeyFields } from './key-fields.ts'
import { settingFields, settingsOf } from './setting-fields.ts'

type Tenant = Schemas['Tenant']

/** The form of all settings of a tenant. It saves only if the tenant still has the version on the screen. */
export function SettingsForm({ of }: { of: Reading<Tenant> }) {
  return <SavedVersions of={of}>{(tenant, form) => <Settings {...{ tenant, ...form }} />}</SavedVersions>
}

function Settings({ tenant, etag, ...form }: { tenant: Tenant } & FormOfVersion) {
  const fields = [...settingFields, ...useKeyFields(tenant.keys)]
  const submit = (body: Record<string, unknown>) => {
    const params = { path: { tenantId: tenant.id }, header: etag ? { 'If-Match': etag } : {} }
    // Boundary: the fields build the body of the operation, and the service validates it.
    return callApi(
      api.PUT('/v1/tenants/{tenantId}', { params, body: settingsOf(body) as Schemas['UpdateTenantRequest'] }),
    )
  }
  const hasLimits = Object.keys(tenant.limits ?? {}).length > 0
  const start = hasLimits ? tenant : { ...tenant, limits: undefined }
  return <BrandedForm calls="updateTenant" fields={fields} name={tenant.name} {...{ start, submit, ...form }} />
}
