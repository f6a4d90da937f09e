import { useLocation } from 'preact-iso'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { newFields } from './fields.ts'
import { webhookTexts } from './texts.ts'

export default function NewWebhook() {
  const { route } = useLocation()
  return (
    <Screen title={say(webhookTexts.create)} up={{ href: to('/webhooks'), title: say(webhookTexts.webhooks) }}>
      <Form
        calls="createWebhook"
        fields={newFields}
        start={{ events: ['OpenIdCredentialIssuedSummary'] }}
        action={say(commonTexts.create)}
        submit={(body: Schemas['WebhookRequest']) => callApi(api.POST('/v1/webhooks', { body }))}
        drafts={(body) => ({ method: 'POST', path: '/v1/webhooks', body })}
        onDone={({ id }) => route(to(`/webhooks/${id}`))}
        onCancel={() => route(to('/webhooks'))}
      />
    </Screen>
  )
}
