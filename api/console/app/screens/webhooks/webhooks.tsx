import { api, ask } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { hasRole } from '../../kit/session.ts'
import { Empty } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { words } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago } from '../../kit/when.tsx'
import { wordsOf } from './fields.ts'
import { Health, useTroubles } from './health.tsx'
import { SigningKeys } from './signing-keys.tsx'
import { webhookTexts } from './texts.ts'

/** All webhooks, with how they are. */
export default function Webhooks() {
  const [{ cursor }] = useQuery()
  const webhooks = useRead(
    () => ask(api.GET('/v1/webhooks', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    [cursor],
  )
  const troubles = useTroubles()
  const create = hasRole('issuer', 'managed-issuer') && (
    <a class="button primary" href={to('/webhooks/new')}>
      {say(webhookTexts.create)}
    </a>
  )
  return (
    <Screen title={say(webhookTexts.webhooks)} actions={create}>
      <PagedTable
        of={webhooks}
        caption={webhookTexts.webhooks}
        keyOf={({ id }) => id}
        columns={[
          { head: webhookTexts.address, cell: ({ id, url }) => <a href={to(`/webhooks/${id}`)}>{url}</a> },
          {
            head: words.state,
            cell: ({ id, disabled }) => <Health isDisabled={disabled} trouble={troubles?.get(id)} />,
          },
          { head: webhookTexts.since, cell: ({ id }) => <Ago at={troubles?.get(id)?.since} /> },
          { head: webhookTexts.events, cell: ({ events }) => events.map((each) => say(wordsOf(each))).join('; ') },
        ]}
        empty={<Empty action={create}>{say(webhookTexts.empty)}</Empty>}
      />
      <SigningKeys />
    </Screen>
  )
}
