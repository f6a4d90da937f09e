import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import type { Typed } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { BrandingPreview } from '../tenants/branding-preview.tsx'
import { ownFields } from '../tenants/setting-fields.ts'
import { settingTexts } from '../tenants/texts.ts'

type Settings = Schemas['OwnSettings']

/** The form of the settings that an admin of the tenant may change. It saves only the version on the screen. */
export function OwnSettings() {
  const settings = useRead(() => callApi(api.GET('/v1/settings')), [])
  const [isSaved, setSaved] = useState(false)
  return (
    <>
      {isSaved && (
        <p class="note" role="status">
          {say(commonTexts.saved)}
        </p>
      )}
      <Versioned of={settings}>
        {(found, etag, showTheirs) => (
          <OwnForm
            {...{ found, etag }}
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

function OwnForm(props: { found: Settings; etag: string | undefined; onSaved: () => void; onTheirs: () => void }) {
  const { found, etag, onSaved, onTheirs } = props
  const [typed, setTyped] = useState<Typed>({})
  const text = (name: string) => String(typed[name] ?? '')
  const submit = (body: Record<string, unknown>) =>
    callApi(
      api.PUT('/v1/settings', {
        params: { header: etag ? { 'If-Match': etag } : {} },
        // Boundary: the fields build the body of the operation, and the service validates it.
        body: { branding: {}, ...body } as Schemas['SettingsRequest'],
      }),
    )
  return (
    <div class="with-preview">
      <Form
        fields={ownFields}
        start={found}
        action={say(commonTexts.save)}
        submit={submit}
        onDone={onSaved}
        onTheirs={onTheirs}
        onTyped={setTyped}
      />
      <BrandingPreview
        name={text('name') || found.name}
        background={text('branding.backgroundColor')}
        accent={text('branding.accentColor')}
        note={text('branding.logoUrl') ? say(settingTexts.logoLater) : undefined}
      />
    </div>
  )
}
