import { useLocation } from 'preact-iso'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { Section } from '../../kit/elements.tsx'
import { Form } from '../../kit/form.tsx'
import { say } from '../../kit/language.ts'
import { commonTexts } from '../../kit/texts.ts'
import { UndoButton } from '../../kit/undo.tsx'
import { to } from '../../kit/url-state.ts'
import type { Reading } from '../../kit/use-read.ts'
import { Versioned } from '../../kit/versioned.tsx'
import { changeFields } from './fields.ts'
import { webhookTexts } from './texts.ts'

type Webhook = Schemas['Webhook']

/** Edits the version that was read. After a concurrent change the user gets a message and keeps the typed values. */
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
            calls="updateWebhook"
            fields={changeFields}
            start={webhook}
            action={say(commonTexts.save)}
            submit={(body: Schemas['UpdateWebhookRequest']) =>
              callApi(
                api.PUT('/v1/webhooks/{webhookId}', {
                  params: { path: { webhookId: webhook.id }, header: etag ? { 'If-Match': etag } : {} },
                  body,
                }),
              )
            }
            drafts={(body) => ({ method: 'PUT', path: `/v1/webhooks/${webhook.id}`, body })}
            onDone={end}
            onCancel={onEnd}
            onTheirs={showTheirs}
          />
        )}
      </Versioned>
    </Section>
  )
}

/** Disables or enables a webhook without the form. */
export function EnableButton({ webhook: { id, disabled }, onDone }: { webhook: Webhook; onDone: () => void }) {
  return (
    <UndoButton
      calls="updateWebhook"
      label={say(disabled ? webhookTexts.enable : webhookTexts.disable)}
      note={disabled ? undefined : say(webhookTexts.ended)}
      act={() => setDisabled(id, !disabled)}
      undo={() => setDisabled(id, disabled)}
      onDone={onDone}
    />
  )
}

/** Keeps the other members of the current version. */
async function setDisabled(webhookId: string, disabled: boolean): Promise<Answered<unknown>> {
  const path = { webhookId }
  const now = await callApi(api.GET('/v1/webhooks/{webhookId}', { params: { path } }))
  if (now.problem) return now
  const { url } = now.data
  // Boundary: these are kinds that the service knows.
  const events = now.data.events as Schemas['UpdateWebhookRequest']['events']
  const header = now.etag ? { 'If-Match': now.etag } : {}
  return callApi(api.PUT('/v1/webhooks/{webhookId}', { params: { path, header }, body: { url, events, disabled } }))
}

export function DeleteButton({ webhook: { id, url } }: { webhook: Webhook }) {
  const { route } = useLocation()
  return (
    <ConfirmButton
      calls="deleteWebhook"
      label={say(commonTexts.delete)}
      title={say(webhookTexts.deleteTitle)}
      word={new URL(url).hostname}
      act={() => callApi(api.DELETE('/v1/webhooks/{webhookId}', { params: { path: { webhookId: id } } }))}
      onDone={() => route(to('/webhooks'))}
    >
      <p>{say(webhookTexts.deleteText)}</p>
    </ConfirmButton>
  )
}
