import { api, callApi, type Schemas } from '../../kit/api.ts'
import type { Choice, Field } from '../../kit/form-values.ts'
import { textOfProvider } from '../../kit/key-place.tsx'
import { can } from '../../kit/session.ts'
import { useRead } from '../../kit/use-read.ts'
import { settingTexts as t } from './texts.ts'

type Part = keyof Schemas['KeyPolicy']

const readProviders = () => callApi(api.GET('/v1/keys/providers'))

const labels = {
  default: t.keysDefault,
  certificateAuthorities: t.keysCertificateAuthorities,
  documentSigners: t.keysDocumentSigners,
  listSigners: t.keysListSigners,
  tokens: t.keysTokens,
  dids: t.keysDids,
  messages: t.keysMessages,
} as const satisfies Record<Part, unknown>

// Boundary: the keys of the table are the parts.
const parts = Object.keys(labels) as Part[]

/** Returns the fields of the policy of keys. Their only choice is the stored one until the providers of the platform are read, if the roles allow it. */
export function useKeyFields(policy: Schemas['KeyPolicy'] | undefined): Field[] {
  const isAllowed = can('retrieveKeyProviders')
  const { data } = useRead<Schemas['KeyProviders'] | undefined>(
    isAllowed ? readProviders : async () => ({ data: undefined }),
    [isAllowed],
  )
  return parts.map((part) => keyFieldOf(part, data, policy?.[part]))
}

/** The choices are the providers of the platform, and the provider that is stored. Where the platform requires hardware, `software` is none. */
function keyFieldOf(part: Part, data: Schemas['KeyProviders'] | undefined, stored: string | undefined): Field {
  const isFixed = data?.requireHardware.includes(part) ?? false
  const names = new Set([...(data?.data ?? []).map(({ name }) => name), ...(stored === undefined ? [] : [stored])])
  const choices = [...names]
    .filter((name) => !isFixed || name !== 'software' || name === stored)
    .map((name): Choice => ({ value: name, label: textOfProvider(name) }))
  const hint = isFixed ? t.keysRequired : part === 'default' ? t.keysHint : undefined
  const byDefault = part === 'default' ? t.keysByPlatform : t.keysByDefault
  return { name: `keys.${part}`, kind: 'choice', label: labels[part], choices, byDefault, ...(hint && { hint }) }
}
