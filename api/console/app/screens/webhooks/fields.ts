import type { Schemas } from '../../kit/api.ts'
import type { Field } from '../../kit/form-values.ts'
import { type Text, verbatim } from '../../kit/language.ts'
import { changeKinds } from './change-kinds.ts'
import { webhookTexts } from './texts.ts'

type Kind = Schemas['WebhookEventKind']

/** The meaning of each event type. The service may have more types than this console. */
export const kinds: Record<Kind, { label: Text; hint: Text }> = {
  OpenIdCredentialIssuedSummary: { label: webhookTexts.issuedSummary, hint: webhookTexts.issuedSummaryHint },
  OpenIdCredentialIssued: { label: webhookTexts.issued, hint: webhookTexts.issuedHint },
  AuditCheckpointSigned: { label: webhookTexts.checkpoint, hint: webhookTexts.checkpointHint },
  BulkIssuanceCompleted: { label: webhookTexts.bulk, hint: webhookTexts.bulkHint },
  ...changeKinds,
}

/** The kinds about credentials and users. The other kinds are about the operation of the service. */
const ofCredentials = /^(OpenId|Credential|Offer|User|Bulk)/

function groupOf(kind: string): Text {
  return ofCredentials.test(kind) ? webhookTexts.aboutCredentials : webhookTexts.aboutOperation
}

export function wordsOf(kind: string): Text {
  return Object.hasOwn(kinds, kind) ? kinds[kind as Kind].label : verbatim(kind)
}

export const newFields: readonly Field[] = [
  {
    name: 'url',
    label: webhookTexts.address,
    hint: webhookTexts.addressHint,
    required: true,
    placeholder: 'https://hooks.example.org/credentials',
  },
  {
    name: 'events',
    label: webhookTexts.events,
    kind: 'several',
    required: true,
    choices: Object.entries(kinds).map(([value, words]) => ({ value, ...words, group: groupOf(value) })),
  },
]

export const changeFields: readonly Field[] = [
  ...newFields,
  { name: 'disabled', label: webhookTexts.disabled, hint: webhookTexts.disabledHint, kind: 'tick' },
]
