import { useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { useAction } from '../../kit/dialog.tsx'
import { Facts, Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { ProblemMessage, Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { Ago, When } from '../../kit/when.tsx'
import { AttemptCharts } from './attempt-charts.tsx'
import { Change, DeleteButton, EnableButton } from './change.tsx'
import { Deliveries } from './deliveries.tsx'
import { kinds, wordsOf } from './fields.ts'
import { Health, useTroubledWebhooks } from './health.tsx'
import { SigningKeys } from './signing-keys.tsx'
import { TestResult } from './test-result.tsx'
import { webhookTexts } from './texts.ts'

type Webhook = Schemas['Webhook']

/** One webhook: its state, deliveries and actions. */
export default function OneWebhook() {
  const { id: webhookId = '' } = useRoute().params
  const path = { webhookId }
  const [{ edit }, change] = useQuery()
  const webhook = useRead(() => callApi(api.GET('/v1/webhooks/{webhookId}', { params: { path } })), [webhookId])
  const [testId, setTestId] = useState<string>()
  const test = useAction(
    () => callApi(api.POST('/v1/webhooks/{webhookId}/test', { params: { path } })),
    ({ id }) => setTestId(id),
  )
  const { data } = webhook
  const actions = data && (
    <>
      {can('testWebhook') && (
        <button type="button" class="primary" disabled={data.disabled || test.isBusy} onClick={() => void test.run()}>
          {say(webhookTexts.test)}
        </button>
      )}
      {can('updateWebhook') && (
        <button type="button" onClick={() => change({ edit: edit ? undefined : '1' })}>
          {say(commonTexts.edit)}
        </button>
      )}
      <EnableButton webhook={data} onDone={() => void webhook.reload()} />
      <DeleteButton webhook={data} />
    </>
  )
  return (
    <Screen
      title={say(webhookTexts.webhook)}
      up={{ href: to('/webhooks'), title: say(webhookTexts.webhooks) }}
      actions={actions}
      resource={`/v1/webhooks/${webhookId}`}
      objectId={webhookId}
    >
      {test.problem && <ProblemMessage problem={test.problem} />}
      <Shown of={webhook}>
        {(current) => (
          <>
            {testId && <TestResult key={testId} webhookId={webhookId} deliveryId={testId} />}
            {edit ? <Change of={webhook} onEnd={() => change({ edit: undefined })} /> : <Known webhook={current} />}
            <AttemptCharts webhookId={webhookId} />
            <Deliveries webhook={current} />
            <SigningKeys />
          </>
        )}
      </Shown>
    </Screen>
  )
}

function Known({ webhook: { id, url, events, disabled } }: { webhook: Webhook }) {
  const troubledWebhook = useTroubledWebhooks()?.get(id)
  return (
    <Section title={url}>
      <Facts
        of={[
          [commonTexts.state, <Health isDisabled={disabled} troubledWebhook={troubledWebhook} />],
          [webhookTexts.since, troubledWebhook?.since && <Ago at={troubledWebhook.since} />],
          [
            webhookTexts.attempts,
            !!troubledWebhook?.failures && say(webhookTexts.failures, { count: troubledWebhook.failures }),
          ],
          [webhookTexts.pausedUntil, troubledWebhook?.pausedUntil && <When at={troubledWebhook.pausedUntil} />],
          [webhookTexts.events, <Events of={events} />],
          [webhookTexts.webhook, <Id value={id} />],
        ]}
      />
    </Section>
  )
}

function Events({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((each) => {
        const kindTexts = Object.entries(kinds).find(([kind]) => kind === each)?.[1]
        return (
          <p key={each}>
            {say(wordsOf(each))}
            {kindTexts && <small class="block">{say(kindTexts.hint)}</small>}
          </p>
        )
      })}
    </>
  )
}
