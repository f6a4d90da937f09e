import { api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { type CredentialType, mayChange, profiles } from './calls.ts'
import { ecosystemTexts } from './texts.ts'

const profileChoices = Object.entries(profiles).map(([value, label]) => ({ value, label }))

const fields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, required: true },
  { name: 'profile', label: ecosystemTexts.profile, kind: 'choice', choices: profileChoices, required: true },
  { name: 'type', label: ecosystemTexts.type, hint: ecosystemTexts.typeHint, required: true },
]

/** The credential types of an ecosystem. */
export function TypesTab({ ecosystemId }: { ecosystemId: string }) {
  const [{ cursor }] = useQuery()
  const query = { limit: 100, ...(cursor && { cursor }) }
  const path = { ecosystemId }
  const types = useRead(
    () => callApi(api.GET('/v1/ecosystems/{ecosystemId}/credentials', { params: { path, query } })),
    [ecosystemId, cursor],
  )
  const reload = () => void types.reload()
  const add = mayChange() && (
    <FormButton
      calls="createCredentialType"
      label={say(ecosystemTexts.newType)}
      isPrimary
      fields={fields}
      submit={(body: Schemas['CredentialTypeRequest']) =>
        callApi(api.POST('/v1/ecosystems/{ecosystemId}/credentials', { params: { path }, body }))
      }
      onDone={reload}
    />
  )
  return (
    <Section title={say(ecosystemTexts.types)} actions={add}>
      <PagedTable
        of={types}
        caption={ecosystemTexts.types}
        columns={columnsOf(reload)}
        keyOf={({ id }) => id}
        resourceOf={({ id }) => `/v1/ecosystems/${ecosystemId}/credentials/${id}`}
        empty={<Empty>{say(ecosystemTexts.typesEmpty)}</Empty>}
      />
    </Section>
  )
}

function columnsOf(reload: () => void): readonly Column<CredentialType>[] {
  const columns: Column<CredentialType>[] = [
    { head: commonTexts.name, cell: ({ name }) => name },
    { head: ecosystemTexts.profile, cell: ({ profile }) => say(profiles[profile]) },
    { head: ecosystemTexts.type, cell: ({ type }) => <code>{type}</code> },
  ]
  if (!mayChange()) return columns
  const cell = ({ id: credentialId, ecosystemId, name }: CredentialType) => (
    <ConfirmButton
      calls="deleteCredentialType"
      label={say(commonTexts.delete)}
      title={name}
      isDanger
      act={() =>
        callApi(
          api.DELETE('/v1/ecosystems/{ecosystemId}/credentials/{credentialId}', {
            params: { path: { ecosystemId, credentialId } },
          }),
        )
      }
      onDone={reload}
    >
      <p>{say(ecosystemTexts.deleteType)}</p>
    </ConfirmButton>
  )
  return [...columns, { head: commonTexts.actions, cell }]
}
