import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { useRead } from '../../kit/use-read.ts'
import { BrandedForm, type FormOfVersion, SavedVersions } from '../tenants/branded-form.tsx'
import { ownFields } from '../tenants/setting-fields.ts'
import { LogoUpload } from './logo-upload.tsx'
import { PagePreview } from './page-preview.tsx'
import { previewTexts } from './preview-texts.ts'

/** The fields of an admin of the tenant, who can also upload a logo. */
const fields = ownFields.map((field) =>
  field.name === 'branding.logoUrl'
    ? { ...field, below: (type: (url: string) => void) => <LogoUpload onDone={type} /> }
    : field,
)

type Settings = Schemas['OwnSettings']

/** The form of the settings that an admin of the tenant may change. It saves only the version on the screen. */
export function OwnSettings() {
  const settings = useRead(() => callApi(api.GET('/v1/settings')), [])
  return <SavedVersions of={settings}>{(ofVersion, form) => <OwnForm settings={ofVersion} {...form} />}</SavedVersions>
}

function OwnForm({ settings, etag, ...form }: { settings: Settings } & FormOfVersion) {
  const [preview, setPreview] = useState<Schemas['SettingsRequest']>()
  const submit = (body: Record<string, unknown>) =>
    callApi(
      api.PUT('/v1/settings', {
        params: { header: etag ? { 'If-Match': etag } : {} },
        // Boundary: the fields build the body of the operation, and the service validates it.
        body: { branding: {}, walletFamilies: [], ...body } as Schemas['SettingsRequest'],
      }),
    )
  // Boundary: the fields build the body of the operation, and the service validates it.
  const trying = {
    label: say(previewTexts.show),
    act: (body: Record<string, unknown>) => setPreview(body as Schemas['SettingsRequest']),
  }
  return (
    <>
      <BrandedForm
        calls="updateSettings"
        fields={fields}
        start={settings}
        name={settings.name}
        {...{ submit, trying, ...form }}
      />
      {preview && <PagePreview of={preview} />}
    </>
  )
}
