import { api, callApi } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { LinkButton } from '../../kit/link-button.tsx'
import { Screen } from '../../kit/screen.tsx'
import { Empty } from '../../kit/states.tsx'
import { PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago } from '../../kit/when.tsx'
import { wordsOf } from './fields.ts'
import { Health, useTroubledWebhooks } from './health.tsx'
import { SigningKeys } from './signing-keys.tsx'
import { webhookTexts } from './texts.ts'

/** All webhooks with their state. */
export default function Webhooks() {
  const [{ cursor }] = useQuery()
  const webhooks = useRead(
    () => callApi(api.GET('/v1/webhooks', { params: { query: { limit: 50, ...(cursor && { cursor }) } } })),
    [cursor],
  )
  const problems = useTroubledWebhooks()
  const create = (
    <LinkButton path="/webhooks/new" isPrimary>
      {say(webhookTexts.create)}
    </LinkButton>
  )
  return (
    <Screen title={say(webhookTexts.webhooks)} actions={create}>
      <PagedTable
        of={webhooks}
        caption={webhookTexts.webhooks}
        keyOf={({ id }) => id}
        resourceOf={({ id }) => `/v1/webhooks/${id}`}
        columns={[
          { head: webhookTexts.address, cell: ({ id, url }) => <a href={to(`/webhooks/${id}`)}>{url}</a> },
          {
            head: commonTexts.state,
            cell: ({ id, disabled }) => <Health isDisabled={disabled} troubledWebhook={problems?.get(id)} />,
          },
          { head: webhookTexts.since, cell: ({ id }) => <Ago at={problems?.get(id)?.since} /> },
          { head: webhookTexts.events, cell: ({ events }) => events.map((each) => say(wordsOf(each))).join('; ') },
        ]}
        empty={<Empty action={create}>{say(webhookTexts.empty)}</Empty>}
      />
      <SigningKeys />
    </Screen>
  )
}
