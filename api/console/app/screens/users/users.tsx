import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import type { Field } from '../../kit/form-values.ts'
import { labelField } from '../../kit/label-field.ts'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { NameOrId } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { to, useFragment, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { erasureTexts } from './erasure-texts.ts'
import { criteriaOf, Search } from './search.tsx'
import { userTexts } from './texts.ts'

type Found = Schemas['SearchUsersItem']

/** The users, with a search by claims. Their claims are not loaded. */
export default function Users() {
  const [{ cursor }] = useQuery()
  const [sought] = useFragment()
  const criteria = criteriaOf(sought)
  const body = { ...criteria, withClaims: false, limit: 50, ...(cursor && { cursor }) }
  const users = useRead(() => callApi(api.POST('/v1/users/search', { body })), [body])
  const isFiltered = Object.keys(criteria).length > 0 || cursor !== undefined
  const nothing = users.data?.nextCursor ? userTexts.more : userTexts.noneSuch
  const actions = (
    <>
      <LinkButton path="/users/erasures">{say(erasureTexts.erasures)}</LinkButton>
      {can('createUser') && <NewUser />}
    </>
  )
  return (
    <Screen title={say(userTexts.users)} actions={actions}>
      <Search />
      <PagedTable
        of={users}
        caption={userTexts.users}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<Empty>{say(isFiltered ? nothing : userTexts.empty)}</Empty>}
      />
    </Screen>
  )
}

const columns: readonly Column<Found>[] = [
  { head: userTexts.user, cell: ({ id, label }) => <NameOrId name={label} id={id} href={to(`/users/${id}`)} /> },
  {
    head: userTexts.signsInAt,
    cell: ({ authenticationProvider: at }) =>
      at ? (at.url ?? at.providerId) : <span class="soft">{say(userTexts.anywhere)}</span>,
  },
  { head: userTexts.subject, cell: ({ authenticationProvider: at }) => at?.subjectId ?? '–' },
]

const claims: Field = { name: 'claims', kind: 'json', label: userTexts.claims, hint: userTexts.newHint, rows: 8 }

function NewUser() {
  const { route } = useLocation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        {say(userTexts.create)}
      </button>
      {isOpen && (
        <Dialog title={say(userTexts.create)} onClose={() => setOpen(false)}>
          <Form
            calls="createUser"
            fields={[labelField, claims]}
            action={say(userTexts.create)}
            // Boundary: the service validates the body.
            submit={(body) => callApi(api.POST('/v1/users', { body: body as Schemas['UserRequest'] }))}
            onDone={({ id }) => route(to(`/users/${id}`))}
            onCancel={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  )
}
