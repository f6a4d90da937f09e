import type { Schemas } from '../../../kit/api.ts'
import { Facts } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { Named } from '../../../kit/named.tsx'
import { commonTexts } from '../../../kit/texts.ts'
import { credentialFacts } from '../provider-facts.tsx'
import { accessTexts } from '../texts.ts'
import { serverTexts as t } from './texts.ts'

type Server = Schemas['AuthorizationServer']

/** The settings of an authorization server. The service masks the secret. */
export function ServerDetails({ of }: { of: Server }) {
  const { issuer, audience, jwtProfile, scopes, subjectClaim, claimsToPersist, userInfo, introspection } = of
  const hasScopes = Object.keys(scopes).length > 0
  return (
    <Facts
      of={[
        [accessTexts.issuer, issuer],
        [t.audience, audience],
        [t.jwtProfile, !introspection && jwtProfile],
        [t.check, say(introspection ? t.asked : t.signed)],
        ...(introspection ? introspectionFacts(introspection) : []),
        [t.scopes, hasScopes && <Scopes key="scopes" of={scopes} />],
        [accessTexts.userClaim, subjectClaim],
        [accessTexts.persisted, claimsToPersist.length > 0 && claimsToPersist.join(', ')],
        [t.userInfo, say(userInfo ? commonTexts.yes : commonTexts.no)],
      ]}
    />
  )
}

function introspectionFacts(introspection: NonNullable<Server['introspection']>) {
  const { clientId, tokenEndpointAuthMethod } = introspection
  return [
    [accessTexts.clientId, clientId] as const,
    [accessTexts.authMethod, tokenEndpointAuthMethod] as const,
    ...credentialFacts(introspection),
  ]
}

function Scopes({ of: scopes }: { of: Server['scopes'] }) {
  return (
    <ul class="names">
      {Object.entries(scopes).map(([scope, configurationId]) => (
        <li key={scope}>
          <code>{scope}</code> → <Named kind="configuration" id={configurationId} />
        </li>
      ))}
    </ul>
  )
}
