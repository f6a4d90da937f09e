import { useLocation } from 'preact-iso'
import { api, ask, type Schemas } from '../../kit/api.ts'
import { Section } from '../../kit/bits.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { words } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import type { Reading } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { changeFields } from './fields.ts'
import { webhookTexts } from './texts.ts'

type Webhook = Schemas['Webhook']

/** Changes the version that was read: who comes second is told, and keeps what they typed. */
export function Change({ of, onEnd }: { of: Reading<Webhook>; onEnd: () => void }) {
  const end = () => {
    void of.reload()
    onEnd()
  }
  return (
    <Section title={say(webhookTexts.changeTitle)}>
      <Versioned of={of}>
        {(webhook, etag, showTheirs) => (
          <Form
            fields={changeFields}
            start={webhook}
            action={say(words.save)}
            submit={(body: Schemas['UpdateWebhookRequest']) =>
              ask(
                api.PUT('/v1/webhooks/{webhookId}', {
                  params: { path: { webhookId: webhook.id }, header: etag ? { 'If-Match': etag } : {} },
                  body,
                }),
              )
            }
            onDone={end}
            onCancel={onEnd}
            onTheirs={showTheirs}
          />
        )}
      </Versioned>
    </Section>
  )
}

export function DeleteButton({ webhook: { id, url } }: { webhook: Webhook }) {
  const { route } = useLocation()
  return (
    <ConfirmButton
      label={say(words.delete)}
      title={say(webhookTexts.deleteTitle)}
      word={new URL(url).hostname}
      act={() => ask(api.DELETE('/v1/webhooks/{webhookId}', { params: { path: { webhookId: id } } }))}
      onDone={() => route(to('/webhooks'))}
    >
      <p>{say(webhookTexts.deleteText)}</p>
    </ConfirmButton>
  )
}
