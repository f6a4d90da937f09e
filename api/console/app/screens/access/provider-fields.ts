import type { Field } from '../../kit/form-values.ts'
import { verbatim } from '../../kit/language.ts'
import { accessTexts } from './texts.ts'

/** The issuer field of both providers, of holders and of operators. Only its member name differs. */
export function issuerField(name: 'issuer' | 'url'): Field {
  const words = { label: accessTexts.issuer, hint: accessTexts.issuerHint }
  return { name, ...words, required: true, placeholder: 'https://login.example.org' }
}

const methods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

export const clientFields: readonly Field[] = [
  { name: 'clientId', label: accessTexts.clientId, required: true },
  { name: 'clientSecret', label: accessTexts.clientSecret, hint: accessTexts.secretStays, kind: 'secret' },
  {
    name: 'tokenEndpointAuthMethod',
    label: accessTexts.authMethod,
    kind: 'choice',
    required: true,
    hint: accessTexts.authMethodHint,
    choices: methods.map((value) => ({ value, label: verbatim(value) })),
  },
  {
    name: 'assertionAudience',
    label: accessTexts.audience,
    hint: accessTexts.audienceHint,
    kind: 'choice',
    required: true,
    choices: [
      { value: 'issuer', label: accessTexts.issuer },
      { value: 'token-endpoint', label: accessTexts.tokenUrl },
    ],
  },
  { name: 'scope', label: accessTexts.scopes, hint: accessTexts.scopesHint, kind: 'lines', required: true, rows: 3 },
]
