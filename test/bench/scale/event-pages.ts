import { dayMs } from './filling.ts'
import { anyOf, anyTime, cursor, get, type Page, type Samples } from './page-calls.ts'

/**
 * Pages of events and audit, newest first, with each filter and with several. Some filters exclude each other
 * (filling.ts).
 */
export function eventPages(at: number, { events, requests, client }: Samples): Page[] {
  const middle = () => `cursor=${cursor(anyTime(at))}`
  const day = () => {
    const from = anyTime(at)
    return `dateFrom=${new Date(from).toISOString()}&dateTo=${new Date(from + dayMs).toISOString()}`
  }
  return [
    page('first page', () => ''),
    page('in the middle', middle),
    page('last page', () => `cursor=${cursor(at - 80 * dayMs + 60_000)}`),
    page('of a day', day),
    page('by id', () => `ids=${anyOf(events)}`),
    page('by request', () => `requestIds=${anyOf(requests)}`),
    page('by type', () => `types=USER_CREATE_SUCCESS&${middle()}`),
    page('by two types', () => `types=USER_CREATE_SUCCESS,OPENID_TOKEN_FAIL&${middle()}`),
    page('by a rare type', () => 'types=USER_DELETE_SUCCESS'),
    page('by an unknown type', () => 'types=NO_SUCH_TYPE'),
    page('by type, of a day', () => `types=OPENID_TOKEN_FAIL&${day()}`),
    page('by category', () => `categories=OFFERS&${middle()}`),
    page('by client', () => `clientIds=${client}&${middle()}`),
    page('by management user', () => 'managementUserIds=unknown'),
    page('by client and type', () => `clientIds=${client}&types=USER_CREATE_SUCCESS&${middle()}`),
    page('by client and rare type', () => `clientIds=${client}&types=USER_DELETE_SUCCESS&${middle()}`),
    page('by filters that exclude each other', () => `clientIds=${client}&categories=OPENID_VCI&${middle()}`),
    page('the audit', () => 'categories=AUDIT'),
    page('the audit, by type', () => 'categories=AUDIT&types=WEBHOOK_UPDATE_AUDIT'),
    page('the audit, by client and type', () => `categories=AUDIT&clientIds=${client}&types=NO_SUCH_TYPE`),
  ]
}

function page(name: string, query: () => string): Page {
  return { name: `events: ${name}`, next: () => get(`/v1/events?${query()}`) }
}
