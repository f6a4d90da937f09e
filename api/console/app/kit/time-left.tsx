import { Bar, type Mood } from './elements.tsx'
import { locale, say } from './language.ts'
import { commonTexts } from './texts.ts'
import { daysUntil } from './when.tsx'

/** Shows the remaining part of a period as a bar, with the remaining time as text. */
export function TimeLeft({ from, until, warnDays = 60 }: { from: string; until: string; warnDays?: number }) {
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const days = daysUntil(until)
  const part = end > start ? (end - Date.now()) / (end - start) : 0
  const mood: Mood = days < 0 ? 'bad' : days < warnDays ? 'warn' : 'good'
  return <Bar part={part} label={timeLeftText(end)} mood={mood} />
}

/** “3 years left”, or that the time is over. */
export function timeLeftText(end: number): string {
  const left = end - Date.now()
  return left < 0 ? say(commonTexts.over) : say(commonTexts.left, { time: spanOf(left) })
}

/** “3 years”, “5 months”, “12 days”, “7 hours”. */
function spanOf(ms: number): string {
  const [unit, size] = spans.find(([, , from]) => ms >= from) ?? (['hour', hourMs] as const)
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const
  return new Intl.NumberFormat(locale(), format).format(Math.floor(ms / size))
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The minimum length from which a duration is shown in a unit. */
const spans = [
  ['year', 365.25 * dayMs, 730 * dayMs],
  ['month', 30.44 * dayMs, 91 * dayMs],
  ['day', dayMs, 2 * dayMs],
] as const
