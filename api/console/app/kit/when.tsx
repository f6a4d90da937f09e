import { locale } from './language.ts'

const moment: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }

/** A time in the reader's time zone. The tooltip shows it in UTC. */
export function When({ at }: { at: string | number | null | undefined }) {
  if (at === undefined || at === null) return <>–</>
  const date = new Date(at)
  const utc = date.toISOString()
  return (
    <time dateTime={utc} title={utc.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}>
      {date.toLocaleString(locale(), moment)}
    </time>
  )
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

/** A relative time: “in 3 days”, “2 hours ago”. */
export function Ago({ at }: { at: string | number | null | undefined }) {
  if (at === undefined || at === null) return <>–</>
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)
  const utc = new Date(at).toISOString()
  return (
    <time dateTime={utc} title={new Date(at).toLocaleString(locale(), moment)}>
      {words}
    </time>
  )
}

/** Formats a number for the reader's locale. */
export function numberText(value: number): string {
  return value.toLocaleString(locale())
}
