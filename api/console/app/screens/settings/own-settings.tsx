import { api, callApi, type Schemas } from '../../kit/api.ts'
import { useRead } from '../../kit/use-read.ts'
import { BrandedForm, type FormOfVersion, SavedVersions } from '../tenants/branded-form.tsx'
import { ownFields } from '../tenants/setting-fields.ts'

type Settings = Schemas['OwnSettings']

/** The form of the settings that an admin of the tenant may change. It saves only the version on the screen. */
export function OwnSettings() {
  const settings = useRead(() => callApi(api.GET('/v1/settings')), [])
  return <SavedVersions of={settings}>{(found, form) => <OwnForm {...{ found, ...form }} />}</SavedVersions>
}

function OwnForm({ found, etag, ...form }: { found: Settings } & FormOfVersion) {
  const submit = (body: Record<string, unknown>) =>
    callApi(
      api.PUT('/v1/settings', {
        params: { header: etag ? { 'If-Match': etag } : {} },
        // Boundary: the fields build the body of the operation, and the service validates it.
        body: { branding: {}, ...body } as Schemas['SettingsRequest'],
      }),
    )
  return <BrandedForm fields={ownFields} start={found} name={found.name} {...{ submit, ...form }} />
}
