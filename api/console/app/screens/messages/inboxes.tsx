import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { inboxesTexts } from './inbox-texts.ts'

type Inbox = Schemas['Inbox']

const path = '/v1/messaging/inboxes'

/** The inboxes of the tenant. */
export function Inboxes() {
  return (
    <Collection<Inbox>
      calls={{ create: 'createInbox', change: 'updateInbox', remove: 'deleteInbox' }}
      texts={inboxesTexts}
      list={(query) => callApi(api.GET(path, { params: { query } }))}
      idOf={({ id }) => id}
      path={path}
      columns={[{ head: commonTexts.name, cell: ({ id, name }) => <a href={to(`/messages/${id}`)}>{name}</a> }]}
      form={(inbox, end) => (
        <Form
          calls={inbox ? 'updateInbox' : 'createInbox'}
          fields={[{ name: 'name', label: commonTexts.name, required: true }]}
          start={inbox}
          action={say(inbox ? commonTexts.save : commonTexts.create)}
          submit={(body: Schemas['InboxRequest']) =>
            inbox
              ? callApi(api.PUT(`${path}/{id}`, { params: { path: { id: inbox.id } }, body }))
              : callApi(api.POST(path, { body }))
          }
          onDone={end}
          onCancel={end}
        />
      )}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => callApi(api.DELETE(`${path}/{id}`, { params: { path: { id } } })),
      }}
    />
  )
}
