import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../kit/copy.tsx'
import { Facts } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { accessTexts } from './texts.ts'

interface Shared {
  issuer: string
  redirectUrl: string
  clientId: string
  clientSecret: string
  tokenEndpointAuthMethod: string
  scope: readonly string[]
}

/** The settings of a provider. The service masks the secret. */
export function ProviderFacts({ of, more }: { of: Shared; more: readonly (readonly [Text, ComponentChildren])[] }) {
  const redirectUrl = (
    <>
      <code>{of.redirectUrl}</code>
      <CopyButton text={of.redirectUrl} label={say(accessTexts.redirectUrl)} />
    </>
  )
  return (
    <Facts
      of={[
        [accessTexts.issuer, of.issuer],
        [accessTexts.redirectUrl, redirectUrl],
        [accessTexts.clientId, of.clientId],
        [accessTexts.clientSecret, <code>{of.clientSecret}</code>],
        [accessTexts.authMethod, of.tokenEndpointAuthMethod],
        [accessTexts.scope, of.scope.join(' ')],
        ...more,
      ]}
    />
  )
}
