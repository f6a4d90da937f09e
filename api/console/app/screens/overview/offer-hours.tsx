import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Bars, type Series } from '../../kit/charts/bars.tsx'
import { Section } from '../../kit/elements.tsx'
import { locale, say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { hoursTexts } from './hours-texts.ts'

type Hours = Schemas['OfferHours']

const outcomes = ['collected', 'failed', 'expired', 'open'] as const
const series: readonly Series[] = [
  { name: hoursTexts.collected, tone: 0 },
  { name: hoursTexts.failed, tone: 1 },
  { name: hoursTexts.expired, tone: 2 },
  { name: hoursTexts.open, tone: 3 },
]

/** The offers of each of the last 24 hours by outcome. Their failures are the failed offers of the totals. */
export function OfferHours() {
  const hours = useRead(() => callApi(api.GET('/v1/overview/offers')), [], { everyMs: 60_000 })
  return (
    <Section title={say(hoursTexts.title)}>
      <Shown of={hours}>{(hours) => <Chart of={hours} />}</Shown>
    </Section>
  )
}

function Chart({ of: { data, isAtLeast } }: { of: Hours }) {
  const totals = outcomes.map((each) => data.reduce((sum, hour) => sum + hour[each], 0))
  const total = totals.reduce((sum, each) => sum + each, 0)
  if (total === 0) return <p class="soft">{say(hoursTexts.none)}</p>
  const [collected = '', failed = '', expired = '', open = ''] = totals.map(numberText)
  const summary = say(hoursTexts.summary, { total: numberText(total), collected, failed, expired, open })
  return (
    <Bars
      title={hoursTexts.title}
      period={hoursTexts.hour}
      series={series}
      bars={data.map((hour) => ({
        key: hour.from,
        label: hourText(hour.from),
        values: outcomes.map((each) => hour[each]),
      }))}
      summary={isAtLeast ? `${summary} ${say(hoursTexts.atLeast)}` : summary}
    />
  )
}

/** Returns the start of an hour with its day of the week, in the reader's time zone. */
function hourText(from: string): string {
  return new Date(from).toLocaleString(locale(), { weekday: 'short', hour: '2-digit', minute: '2-digit' })
}
