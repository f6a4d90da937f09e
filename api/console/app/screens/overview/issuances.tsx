import { api, callApi } from '../../kit/api.ts'
import { Bars } from '../../kit/charts/bars.tsx'
import { Section } from '../../kit/elements.tsx'
import { locale, say } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { daysTexts } from './texts.ts'

interface Day {
  day: string
  issued: number
}

const periods = ['7', '30', '90', '366']

/** The number of issuances for each of the last days, as a chart, a sentence and a table. */
export function Issuances() {
  const [query, change] = useQuery()
  const days = periods.find((each) => each === query.days) ?? '30'
  const issued = useRead(
    () => callApi(api.GET('/v1/overview/issuances', { params: { query: { days: Number(days) } } })),
    [days],
  )
  const choice = (
    <label>
      <span class="unseen">{say(daysTexts.days)}</span>
      <select value={days} onChange={(event) => change({ days: event.currentTarget.value })}>
        {periods.map((each) => (
          <option key={each} value={each}>
            {say(daysTexts.lastDays, { days: each })}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <Section title={say(daysTexts.issuances)} actions={choice}>
      <Shown of={issued}>{({ data, total }) => <Days data={data} total={total} />}</Shown>
    </Section>
  )
}

function Days({ data, total }: { data: Day[]; total: number }) {
  const most = data.reduce<Day | undefined>((top, each) => (top && top.issued >= each.issued ? top : each), undefined)
  if (!most || total === 0) return <p class="soft">{say(daysTexts.none, { days: data.length })}</p>
  const values = { total: numberText(total), days: data.length, most: numberText(most.issued), day: dayText(most.day) }
  return (
    <Bars
      title={daysTexts.issuances}
      period={daysTexts.day}
      series={[daysTexts.issued]}
      bars={data.map(({ day, issued }) => ({ key: day, label: dayText(day), values: [issued] }))}
      summary={say(daysTexts.summary, values)}
    />
  )
}

/** Days are in UTC, like those of the service. */
function dayText(day: string): string {
  return new Date(day).toLocaleDateString(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
