import { locale } from './language.ts'

const moment: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }

/** A time in the reader's time zone. The tooltip names the zone, and has the time in UTC. */
export function When({ at }: { at: string | number | null | undefined }) {
  if (at === undefined || at === null) return <>–</>
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)}>
      {date.toLocaleString(locale(), moment)}
    </time>
  )
}

/** Returns a time in the reader's time zone with the name of the zone, and in UTC on a second line. */
function exactTime(date: Date): string {
  const utc = date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
  return `${date.toLocaleString(locale(), { dateStyle: 'full', timeStyle: 'long' })}\n${utc}`
}

/** Returns the whole days from now. The number is negative for a time in the past. */
export function daysUntil(at: string): number {
  return Math.floor((Date.parse(at) - Date.now()) / 86_400_000)
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** A relative time: “in 3 days”, “2 hours ago”. The tooltip has the exact time. */
export function Ago({ at }: { at: string | number | null | undefined }) {
  if (at === undefined || at === null) return <>–</>
  const date = new Date(at)
  const seconds = (date.getTime() - Date.now()) / 1_000
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)}>
      {words}
    </time>
  )
}

/** A time in a table: relative within a week, and else the day. The tooltip has the exact time. */
export function ShortTime({ at }: { at: string | null | undefined }) {
  if (at === undefined || at === null) return <>–</>
  const date = new Date(at)
  if (Math.abs(date.getTime() - Date.now()) < 7 * 86_400_000) return <Ago at={at} />
  return (
    <time dateTime={date.toISOString()} title={exactTime(date)}>
      {date.toLocaleDateString(locale(), { dateStyle: 'medium' })}
    </time>
  )
}

/** Formats a number for the reader's locale. */
export function numberText(value: number): string {
  return value.toLocaleString(locale())
}
