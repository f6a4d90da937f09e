import { useLocation } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { ecosystemTexts } from './texts.ts'

export const ecosystemFields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, hint: ecosystemTexts.nameHint, required: true },
]

export default function NewEcosystem() {
  const { route } = useLocation()
  const up = { href: to('/ecosystems'), title: say(ecosystemTexts.ecosystems) }
  return (
    <Screen title={say(ecosystemTexts.create)} up={up}>
      <Form
        calls="createEcosystem"
        fields={ecosystemFields}
        action={say(commonTexts.create)}
        submit={({ name }) => callApi(api.POST('/v1/ecosystems', { body: { name: String(name) } }))}
        drafts={(body) => ({ method: 'POST', path: '/v1/ecosystems', body })}
        onDone={({ id }) => route(to(`/ecosystems/${id}`))}
      >
        <p class="soft">{say(ecosystemTexts.advice)}</p>
      </Form>
    </Screen>
  )
}
