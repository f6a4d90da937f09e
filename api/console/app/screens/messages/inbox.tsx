import { useRoute } from 'preact-iso'
import { api, callApi } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { InboxMessages } from './inbox-messages.tsx'
import { inboxTexts as t } from './inbox-texts.ts'
import { messagingTexts } from './texts.ts'

const path = '/v1/messaging/inboxes/{id}'

/** One inbox: its DIDs and its messages. */
export default function OneInbox() {
  const { id = '' } = useRoute().params
  const inbox = useRead(() => callApi(api.GET(path, { params: { path: { id } } })), [id])
  return (
    <Screen
      title={inbox.data?.name ?? say(t.inbox)}
      up={{ href: to('/messages'), title: say(messagingTexts.messages) }}
      resource={`/v1/messaging/inboxes/${id}`}
    >
      <Shown of={inbox}>
        {() => (
          <>
            <Dids id={id} />
            <InboxMessages id={id} />
          </>
        )}
      </Shown>
    </Screen>
  )
}

function Dids({ id }: { id: string }) {
  const query = { limit: 100 }
  const dids = useRead(() => callApi(api.GET(`${path}/dids`, { params: { path: { id }, query } })), [id])
  const reload = () => void dids.reload()
  const register = (
    <FormButton
      calls="registerInboxDid"
      label={say(t.register)}
      fields={[
        { name: 'did', label: t.did, required: true },
        { name: 'jwt', label: t.jwt, hint: t.jwtHint, kind: 'long' },
      ]}
      submit={(body: { did: string; jwt?: string }) =>
        callApi(api.POST(`${path}/dids`, { params: { path: { id } }, body }))
      }
      onDone={reload}
    />
  )
  const unregister = (did: string) => (
    <ConfirmButton
      calls="unregisterInboxDid"
      label={say(t.unregister)}
      title={say(t.unregisterTitle)}
      isDanger
      act={() => callApi(api.DELETE(`${path}/dids/{did}`, { params: { path: { id, did } } }))}
      onDone={reload}
    >
      <p>{say(t.unregisterText)}</p>
    </ConfirmButton>
  )
  return (
    <Section title={say(t.dids)} actions={register}>
      <Shown of={dids}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{say(t.noDids)}</Empty>
          ) : (
            <Table
              caption={t.dids}
              rows={data}
              keyOf={(did) => did}
              columns={[
                { head: t.did, cell: (did) => <Id value={did} /> },
                { head: commonTexts.actions, cell: unregister },
              ]}
            />
          )
        }
      </Shown>
    </Section>
  )
}
