import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../../kit/api.ts'
import { type Configuration, nameOfConfiguration, profiles, useConfigurations } from '../../../kit/configurations.ts'
import { Form } from '../../../kit/form.tsx'
import type { Choice, Field, Typed } from '../../../kit/form-values.ts'
import { say, verbatim } from '../../../kit/language.ts'
import { Shown } from '../../../kit/states.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { profileTexts } from '../../configurations/texts.ts'
import { walletFamilyChoices } from '../../tenants/setting-fields.ts'
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
  const [{ selection, families }, setTyped] = useState<Typed>(start)
  const save = (values: Record<string, unknown>) => {
    // Boundary: the fields build the body of the operations, and the service validates it.
    const body = bodyOf(values) as Schemas['ViewRequest']
    return view
      ? callApi(api.PUT('/v1/views/{id}', { params: { path: { id: view.id } }, body }))
      : callApi(api.POST('/v1/views', { body }))
  }
  return (
    <Form
      calls={view ? 'updateView' : 'createView'}
      fields={[
        { name: 'name', label: commonTexts.name, required: true },
        ...(view ? [] : [pathField, hostField]),
        selectionField,
        selection === 'ids' ? idsField(configurations) : profilesField,
        profileField,
        { name: 'displayName', label: t.displayName, hint: t.displayNameHint },
        familiesField,
        ...(families === 'own' ? [ownFamiliesField] : []),
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
  return {
    selection: view && 'ids' in view.configurations ? 'ids' : 'profiles',
    families: view?.walletFamilies ? 'own' : 'ofTenant',
  }
}

/** Returns the members of a view. An empty list of wallet families differs from an absent one. */
function bodyOf({ selection: _, families, walletFamilies, ...members }: Record<string, unknown>) {
  return { ...members, ...(families === 'own' && { walletFamilies: walletFamilies ?? [] }) }
}

const pathField: Field = { name: 'path', label: t.path, hint: t.pathHint, required: true, placeholder: 'ios' }

const hostField: Field = { name: 'host', label: t.host, hint: t.hostHint, placeholder: 'wallets.university.example' }

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

const familiesField: Field = {
  ...{ name: 'families', label: t.families, hint: settingTexts.walletFamiliesHint, kind: 'choice', required: true },
  choices: [
    { value: 'ofTenant', label: t.ofTenant },
    { value: 'own', label: t.own },
  ],
}

const ownFamiliesField: Field = {
  ...{ name: 'walletFamilies', label: settingTexts.walletFamilies, kind: 'several', choices: walletFamilyChoices },
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
