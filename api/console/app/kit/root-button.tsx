import { api, callApi } from './api.ts'
import { FormButton } from './form-button.tsx'
import type { Field } from './form-values.ts'
import { say, texts } from './language.ts'
import { session } from './session.ts'
import { rootTexts } from './signing-roots.ts'

const certificate = texts('certificate')
const fields: readonly Field[] = [
  { name: 'country', label: certificate.country, hint: certificate.countryHint, required: true },
  { name: 'commonName', label: certificate.commonName, required: true },
]

/** The longest common name of a certificate. */
const maxNameLength = 64

/** Creates the active root certificate of the tenant with its signers. Asks for the country. The name is that of the tenant. */
export function RootButton({ isPrimary, onDone }: { isPrimary: boolean; onDone: () => void }) {
  const roleLength = say(rootTexts.tenantRoot, { tenant: '' }).length
  const tenant = (session.value?.tenantName ?? '').slice(0, maxNameLength - roleLength)
  return (
    <FormButton
      calls="createIaca"
      label={say(rootTexts.create)}
      isPrimary={isPrimary}
      fields={fields}
      start={{ commonName: say(rootTexts.tenantRoot, { tenant }) }}
      submit={(body: { commonName: string; country: string }) =>
        callApi(api.POST('/v2/credentials/mobile/iacas', { body: { ...body, active: true } }))
      }
      onDone={onDone}
    >
      <p class="note">{say(rootTexts.createAdvice)}</p>
    </FormButton>
  )
}
