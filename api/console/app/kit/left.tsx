import { Bar, type Mood } from './bits.tsx'
import { language, say } from './language.ts'
import { words } from './texts.ts'
import { daysUntil } from './when.tsx'

/** How much is left of the time from one moment to another, as a bar, with the days in words. */
export function Left({ from, until, warnDays = 60 }: { from: string; until: string; warnDays?: number }) {
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const days = daysUntil(until)
  const part = end > start ? (end - Date.now()) / (end - start) : 0
  const mood: Mood = days < 0 ? 'bad' : days < warnDays ? 'warn' : 'good'
  const label = days < 0 ? say(words.over) : say(words.left, { time: spanOf(days) })
  return <Bar part={part} label={label} mood={mood} />
}

/** “3 years”, “5 months”, “12 days”. */
function spanOf(days: number): string {
  const [unit, size] =
    days >= 730 ? (['year', 365.25] as const) : days >= 90 ? (['month', 30.44] as const) : (['day', 1] as const)
  return new Intl.NumberFormat(language.value, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(Math.floor(days / size))
}
