import type { Schemas } from '../../kit/api.ts'
import { csvOf } from '../../kit/csv.ts'

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

/** Returns the events of the page as CSV, with their data as JSON. */
export function eventCsv(events: readonly Event[]): string {
  const rows = events.map((event) => [...columns.map((name) => event[name] ?? ''), JSON.stringify(event.data)])
  return csvOf([...columns, 'data'], rows)
}
