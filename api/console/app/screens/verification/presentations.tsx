import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Collection } from '../../kit/collection.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { useDidChoices } from '../../kit/dids.ts'
import { Form } from '../../kit/form.tsx'
import { FormButton } from '../../kit/form-button.tsx'
import { type Field, isRecord } from '../../kit/form-values.ts'
import { say } from '../../kit/language.ts'
import { Qr } from '../../kit/qr.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { When } from '../../kit/when.tsx'
import { presentationTexts as t, templateTexts } from './presentation-texts.ts'

type Template = Schemas['PresentationTemplate']

const path = '/v2/credentials/web-semantic/presentations/templates'
const fields: readonly Field[] = [
  { name: 'name', label: commonTexts.name, required: true },
  { name: 'domain', label: t.domain, hint: t.domainHint, required: true },
  { name: 'query', label: t.query, hint: t.queryHint, kind: 'json', rows: 14, required: true },
]
const example = {
  '@context': ['https://www.w3.org/2018/credentials/v1'],
  type: ['CourseCertificate'],
}
const start = {
  query: [{ type: 'QueryByExample', credentialQuery: [{ required: true, reason: 'To enter the library', example }] }],
}

/** The templates of presentation requests, and the requests that are created from them. */
export function Presentations() {
  const senders = useDidChoices()
  return (
    <Collection<Template>
      calls={{
        create: 'createPresentationTemplate',
        change: 'updatePresentationTemplate',
        remove: 'deletePresentationTemplate',
      }}
      texts={templateTexts}
      list={(query) => callApi(api.GET(path, { params: { query } }))}
      idOf={({ id }) => id}
      columns={[
        { head: commonTexts.name, cell: ({ name }) => name },
        { head: t.domain, cell: ({ domain }) => domain },
        { head: t.types, cell: ({ query }) => typesIn(query).join(', ') || say(t.onlyDid) },
      ]}
      form={(template, end) => <TemplateForm template={template} end={end} />}
      actions={(template) => <RequestButton template={template} senders={senders} />}
      deletion={{
        word: ({ name }) => name,
        act: ({ id }) => callApi(api.DELETE(`${path}/{id}`, { params: { path: { id } } })),
      }}
    />
  )
}

function TemplateForm({ template, end }: { template: Template | undefined; end: () => void }) {
  const save = (body: Schemas['PresentationTemplateRequest']) =>
    template
      ? callApi(api.PUT(`${path}/{id}`, { params: { path: { id: template.id } }, body }))
      : callApi(api.POST(path, { body }))
  return (
    <Form
      calls={template ? 'updatePresentationTemplate' : 'createPresentationTemplate'}
      fields={fields}
      start={template ?? start}
      action={say(template ? commonTexts.save : commonTexts.create)}
      submit={save}
      onDone={end}
      onCancel={end}
    />
  )
}

/** The types of the requested credentials. A template is shown as it was created. */
function typesIn(query: unknown): string[] {
  if (Array.isArray(query)) return query.flatMap(typesIn)
  if (!isRecord(query)) return []
  if (isRecord(query.example)) return [query.example.type].flat().map(String)
  return typesIn(query.credentialQuery)
}

type Sent = Schemas['PresentationRequest']

type Choices = ReturnType<typeof useDidChoices>

function RequestButton({ template: { id, name }, senders }: { template: Template; senders: Choices }) {
  const fields: readonly Field[] = [
    { name: 'challenge', label: t.challenge, hint: t.challengeHint, required: true },
    { name: 'did', label: t.sender, hint: t.senderHint, kind: 'choice', choices: senders, required: true },
    { name: 'callbackUrl', label: t.callback, hint: t.callbackHint, required: true, placeholder: 'https://' },
  ]
  return (
    <FormButton
      calls="createPresentationRequest"
      label={say(t.request)}
      title={`${say(t.request)}: ${name}`}
      fields={fields}
      start={{ challenge: crypto.randomUUID() }}
      submit={(body: Omit<Schemas['PresentationRequestRequest'], 'templateId'>) =>
        callApi(api.POST('/v2/credentials/web-semantic/presentations/requests', { body: { ...body, templateId: id } }))
      }
      result={(sent) => <Request of={sent} />}
    />
  )
}

/** A QR code holds at most 2,953 bytes. Large codes are hard to scan. */
const maxCodeLength = 2_500

function Request({ of: { didcommUri, request } }: { of: Sent }) {
  return (
    <div class="note" role="status">
      {didcommUri.length <= maxCodeLength && <Qr text={didcommUri} label={say(t.code)} />}
      <p>
        <code>{didcommUri}</code> <CopyButton text={didcommUri} />
      </p>
      <p class="soft">
        {say(t.expires)} <When at={request.expires_time} />
      </p>
    </div>
  )
}
