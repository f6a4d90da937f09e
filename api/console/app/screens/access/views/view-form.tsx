import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { type Configuration, nameOfConfiguration, profiles, useConfigurations } from '../../../kit/configurations.ts'
import { Form } from '../../../kit/form.tsx'
import type { Choice, Field, Typed } from '../../../kit/form-values.ts'
import { say, verbatim } from '../../../kit/language.ts'
import { Shown } from '../../../kit/states.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { profileTexts } from '../../configurations/texts.ts'
import { settingTexts } from '../../tenants/texts.ts'
import { viewTexts as t } from './texts.ts'

type View = Schemas['View']

/** The form of a new or an existing view. */
export function ViewForm({ view, end }: { view: View | undefined; end: () => void }) {
  const configurations = useConfigurations()
  return <Shown of={configurations}>{(all) => <Fields {...{ view, end }} configurations={all} />}</Shown>
}

function Fields(props: { view: View | undefined; end: () => void; configurations: readonly Configuration[] }) {
  const { view, end, configurations } = props
  const [start] = useState(() => startOf(view))
  const [{ selection }, setTyped] = useState<Typed>(start)
  // Boundary: the fields build the body of the operations, and the service validates it.
  const save = ({ selection: _, ...body }: Record<string, unknown>) =>
    view
      ? callApi(
          api.PUT('/v1/views/{id}', {
            params: { path: { id: view.id } },
            body: body as Schemas['UpdateViewRequest'],
          }),
        )
      : callApi(api.POST('/v1/views', { body: body as Schemas['ViewRequest'] }))
  return (
    <Form
      calls={view ? 'updateView' : 'createView'}
      fields={[
        { name: 'name', label: commonTexts.name, required: true },
        ...(view ? [] : [pathField]),
        selectionField,
        selection === 'ids' ? idsField(configurations) : profilesField,
        profileField,
        { name: 'displayName', label: t.displayName, hint: t.displayNameHint },
      ]}
      start={{ ...view, ...start }}
      action={say(view ? commonTexts.save : commonTexts.create)}
      submit={save}
      onTyped={setTyped}
      onDone={end}
      onCancel={end}
    />
  )
}

function startOf(view: View | undefined) {
  return { selection: view && 'ids' in view.configurations ? 'ids' : 'profiles' }
}

const pathField: Field = { name: 'path', label: t.path, hint: t.pathHint, required: true, placeholder: 'ios' }

const selectionField: Field = {
  ...{ name: 'selection', label: t.selection, kind: 'choice', required: true },
  choices: [
    { value: 'profiles', label: t.byProfile },
    { value: 'ids', label: t.byName },
  ],
}

const profilesField: Field = {
  ...{ name: 'configurations.profiles', label: t.kinds, hint: t.kindsHint, kind: 'several', required: true },
  choices: profiles.map((profile) => ({ value: profile, label: profileTexts[profile] })),
}

const profileField: Field = {
  ...{ name: 'profile', label: settingTexts.profile, kind: 'choice', required: true },
  choices: (['standard', 'haip', 'eudi', 'lenient'] as const).map((value) => ({ value, label: settingTexts[value] })),
}

/** The configurations under the headings of their profiles. */
function idsField(configurations: readonly Configuration[]): Field {
  const choiceOf = (configuration: Configuration): Choice => ({
    ...{ value: configuration.id, label: verbatim(nameOfConfiguration(configuration)) },
    ...{ hint: verbatim(configuration.type), group: profileTexts[configuration.profile] },
  })
  const choices = profiles.flatMap((profile) => configurations.filter((each) => each.profile === profile).map(choiceOf))
  return { name: 'configurations.ids', label: t.configurations, kind: 'several', required: true, choices }
}
