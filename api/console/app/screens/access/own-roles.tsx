import { grantablePermissions } from '../../../../../shared/access/own-roles.ts'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { say, verbatim } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { ownRoleTexts } from './texts.ts'

type OwnRole = Schemas['OwnRole']

const fields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, hint: ownRoleTexts.nameHint, required: true },
  { name: 'description', label: ownRoleTexts.description },
  {
    ...{ name: 'permissions', label: ownRoleTexts.permissions, hint: ownRoleTexts.permissionsHint },
    ...{ kind: 'several', required: true },
    choices: grantablePermissions.map((value) => ({
      ...{ value, label: verbatim(value) },
      group: verbatim(value.replace(/:.*/, '')),
    })),
  },
]

/** The roles that the tenant defines. They are a member of its settings, of which a change here replaces nothing else. */
export function OwnRoles() {
  return (
    <Collection<OwnRole>
      calls={{ create: 'updateSettings', change: 'updateSettings', remove: 'updateSettings' }}
      texts={ownRoleTexts}
      list={async () => {
        const { data, problem } = await callApi(api.GET('/v1/settings'))
        return data ? { data: { data: data.roles } } : { problem }
      }}
      idOf={({ name }) => name}
      columns={[
        { head: commonTexts.name, cell: ({ name }) => <code>{name}</code> },
        { head: ownRoleTexts.description, cell: ({ description }) => description ?? '–' },
        {
          head: ownRoleTexts.permissions,
          cell: ({ permissions }) => permissions.map((each) => <code key={each}>{each} </code>),
        },
      ]}
      form={(role, end) => (
        <Form
          calls="updateSettings"
          fields={fields}
          start={role}
          action={say(role ? commonTexts.save : commonTexts.create)}
          submit={(typed: OwnRole) =>
            changeRoles((roles) =>
              role ? roles.map((each) => (each.name === role.name ? typed : each)) : [...roles, typed],
            )
          }
          onDone={end}
          onCancel={end}
        />
      )}
      deletion={{
        word: ({ name }) => name,
        act: ({ name }) => changeRoles((roles) => roles.filter((each) => each.name !== name)),
      }}
    />
  )
}

/** Changes the current roles. Fails if another user changes the settings at the same time. */
async function changeRoles(change: (roles: OwnRole[]) => OwnRole[]): Promise<Answered<unknown>> {
  const answered = await callApi(api.GET('/v1/settings'))
  if (answered.problem) return answered
  const { data, etag } = answered
  const params = { query: { partial: 'true' as const }, header: etag ? { 'If-Match': etag } : {} }
  return callApi(api.PUT('/v1/settings', { params, body: { roles: change(data.roles) } }))
}
