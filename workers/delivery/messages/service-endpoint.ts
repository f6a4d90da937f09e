import type { ForeignService, ResolvedDidDocument } from '../../../shared/formats/did-document-read.ts'
import { checkOutboundUrl } from '../../../shared/outbound/check-outbound-url.ts'

const maxServices = 100

/**
 * Finds the address for messages to a DID: the first allowed URL of a `DIDCommMessaging` service, or else of another service. An endpoint
 * is text, `{uri}`, or a list of these (DID core, section 5.4, and DIDComm v2, "Service Endpoint"). The DID of a mediator is not supported.
 */
export function findServiceEndpoint(
  { service = [] }: Pick<ResolvedDidDocument, 'service'>,
  rules: { allowLoopback: boolean },
): string | undefined {
  const services = service.slice(0, maxServices)
  const isForMessages = ({ type }: ForeignService) => [type].flat().includes('DIDCommMessaging')
  const inOrder = [...services.filter(isForMessages), ...services.filter((each) => !isForMessages(each))]
  return inOrder
    .flatMap(({ serviceEndpoint }) => addressesIn(serviceEndpoint))
    .find((url) => checkOutboundUrl(url, { ...rules, allowQuery: true }) === undefined)
}

function addressesIn(endpoint: unknown): string[] {
  const each = Array.isArray(endpoint) ? endpoint.slice(0, maxServices) : [endpoint]
  return each.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one]
    return typeof one === 'object' && one !== null && 'uri' in one && typeof one.uri === 'string' ? [one.uri] : []
  })
}
