import { api, callApi, type Schemas } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { previewTexts as t } from './preview-texts.ts'

/** The offer page with a name and a branding that are not saved, as a phone and as a desktop show it. */
export function PagePreview({ of: { name, branding } }: { of: Schemas['SettingsRequest'] }) {
  const body = { ...(name && { name }), branding: branding ?? {} }
  const preview = useRead(() => callApi(api.POST('/v1/settings/preview', { body })), [JSON.stringify(body)])
  return (
    <section class="page-preview" aria-label={say(t.title)}>
      <h3>{say(t.title)}</h3>
      <p class="soft">{say(t.about)}</p>
      <Shown of={preview}>
        {({ page }) => (
          <div class="frames">
            {(['phone', 'desktop'] as const).map((device) => (
              <figure key={device} class={device}>
                <figcaption class="soft">{say(t[device])}</figcaption>
                <div>
                  {/* Its script may run, but it is not of the origin of the console. */}
                  <iframe src={page} title={say(t[device])} sandbox="allow-scripts" />
                </div>
              </figure>
            ))}
          </div>
        )}
      </Shown>
    </section>
  )
}
