import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { DialogButton } from '../../kit/dialog-button.tsx'
import { Facts, Json, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { RowMenu } from '../../kit/row-menu.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { ShortTime } from '../../kit/when.tsx'
import { inboxTexts as t } from './inbox-texts.ts'

type Message = Schemas['InboxMessage']

const path = '/v1/messaging/inboxes/{id}/messages'
const everyMs = 10_000

/** The messages of an inbox in the order of their arrival. They are encrypted until the user decrypts one. */
export function InboxMessages({ id }: { id: string }) {
  const [{ cursor }] = useQuery()
  const query = { limit: 20, ...(cursor && { cursor }) }
  const read = () => callApi(api.GET(path, { params: { path: { id }, query } }))
  const messages = useRead(read, [id, cursor], { everyMs })
  const remove = (messageid: string) => (
    <ConfirmButton
      calls="deleteInboxMessage"
      label={say(commonTexts.delete)}
      title={say(t.deleteTitle)}
      isDanger
      act={() => callApi(api.DELETE(`${path}/{messageid}`, { params: { path: { id, messageid } } }))}
      onDone={() => void messages.reload()}
    >
      <p>{say(t.deleteText)}</p>
    </ConfirmButton>
  )
  return (
    <Section title={say(t.messages)}>
      <PagedTable<Message>
        of={messages}
        caption={t.messages}
        keyOf={(message) => message.id}
        columns={[
          { head: t.arrived, cell: ({ createdAt }) => <ShortTime at={createdAt} /> },
          { head: t.to, cell: ({ name }) => <Id value={name} /> },
          {
            head: commonTexts.actions,
            cell: ({ id: messageid, payload }) => (
              <RowMenu>
                <DialogButton label={say(t.read)} title={say(t.read)}>
                  {() => <Decrypted payload={payload} />}
                </DialogButton>
                {remove(messageid)}
              </RowMenu>
            ),
          },
        ]}
        empty={<Empty>{say(t.noMessages)}</Empty>}
      />
    </Section>
  )
}

function Decrypted({ payload }: { payload: Message['payload'] }) {
  // Boundary: the service stores the message as it arrived, and validates it before it decrypts it.
  const body = { jwe: payload, allowSenderMismatch: true } as unknown as Schemas['DecryptMessageRequest']
  const decrypted = useRead(() => callApi(api.POST('/v1/messaging/decrypt', { body })), [])
  return (
    <Shown of={decrypted}>
      {({ payload, senderDidUrl, senderMatches }) => (
        <>
          {!senderMatches && <p class="problem">{say(t.mismatch)}</p>}
          <Facts of={[[t.sender, <Id key="sender" value={senderDidUrl} />]]} />
          <Json value={payload} />
        </>
      )}
    </Shown>
  )
}
