import { locale } from './language.ts'

const moment: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' }

/** A time in the reader's zone; the same in UTC when one points at it. */
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

/** Whole days from now, negative when it is past. */
export function daysUntil(at: string): number {
  return Math.floor((Date.parse(at) - Date.now()) / 86_400_000)
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** “in 3 days”, “2 hours ago”. */
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

/** A number as the reader's language writes it. */
export function numberText(value: number): string {
  return value.toLocaleString(locale())
}
