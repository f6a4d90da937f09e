import type { Schemas } from '../../kit/api.ts'

type Event = Schemas['Event']

const columns = [
  'timestamp',
  'type',
  'category',
  'durationMs',
  'clientId',
  'managementUserId',
  'walletClientId',
  'requestId',
] as const

/** Returns the events of the page as CSV (RFC 4180), with their data as JSON. */
export function csvOf(events: readonly Event[]): string {
  const rows = events.map((event) => [...columns.map((name) => event[name] ?? ''), JSON.stringify(event.data)])
  return [[...columns, 'data'], ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

/** A cell that starts like a formula gets an apostrophe, because spreadsheets would run it. */
function cellOf(value: string | number): string {
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
