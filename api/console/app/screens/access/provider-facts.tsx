import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../kit/copy.tsx'
import { Facts } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { accessTexts } from './texts.ts'

interface Shared {
  issuer: string
  redirectUrl: string
  clientId: string
  clientSecret?: string
  /** Present if a key takes the place of the secret. */
  jwksUrl?: string
  tokenEndpointAuthMethod: string
  scope: readonly string[]
}

/** The settings of a provider. The service masks the secret. */
export function ProviderFacts({ of, more }: { of: Shared; more: readonly (readonly [Text, ComponentChildren])[] }) {
  return (
    <Facts
      of={[
        [accessTexts.issuer, of.issuer],
        [accessTexts.redirectUrl, <CopiedUrl url={of.redirectUrl} label={accessTexts.redirectUrl} />],
        [accessTexts.clientId, of.clientId],
        [accessTexts.authMethod, of.tokenEndpointAuthMethod],
        ...credentialFacts(of),
        [accessTexts.scope, of.scope.join(' ')],
        ...more,
      ]}
    />
  )
}

/** Returns the masked secret, or the address of the key set that takes its place. */
export function credentialFacts({
  clientSecret,
  jwksUrl,
}: Pick<Shared, 'clientSecret' | 'jwksUrl'>): (readonly [Text, ComponentChildren])[] {
  if (jwksUrl === undefined) return [[accessTexts.clientSecret, <code>{clientSecret}</code>]]
  return [[accessTexts.jwksUrl, <CopiedUrl url={jwksUrl} label={accessTexts.jwksUrl} />]]
}

function CopiedUrl({ url, label }: { url: string; label: Text }) {
  return (
    <>
      <code>{url}</code>
      <CopyButton text={url} label={say(label)} />
    </>
  )
}
