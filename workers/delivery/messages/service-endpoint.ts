import type { ForeignService, ResolvedDidDocument } from '../../../shared/formats/did-document-read.ts'
import { checkOutboundUrl } from '../../../shared/outbound/check-outbound-url.ts'

const mostServices = 100

/**
 * Where messages to a DID go: the first address of a service of type `DIDCommMessaging`, else of any, that may be called.
 * An address stands as text, as `{uri}`, or in a list of those (DID core, section 5.4, and DIDComm v2, "Service Endpoint"). One
 * that is the DID of a mediator is none here. Undefined when there is none.
 */
export function findServiceEndpoint(
  { service = [] }: Pick<ResolvedDidDocument, 'service'>,
  rules: { allowLoopback: boolean },
): string | undefined {
  const services = service.slice(0, mostServices)
  const isForMessages = ({ type }: ForeignService) => [type].flat().includes('DIDCommMessaging')
  const inOrder = [...services.filter(isForMessages), ...services.filter((each) => !isForMessages(each))]
  return inOrder
    .flatMap(({ serviceEndpoint }) => addressesIn(serviceEndpoint))
    .find((url) => checkOutboundUrl(url, { ...rules, allowQuery: true }) === undefined)
}

function addressesIn(endpoint: unknown): string[] {
  const each = Array.isArray(endpoint) ? endpoint.slice(0, mostServices) : [endpoint]
  return each.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one]
    return typeof one === 'object' && one !== null && 'uri' in one && typeof one.uri === 'string' ? [one.uri] : []
  })
}
