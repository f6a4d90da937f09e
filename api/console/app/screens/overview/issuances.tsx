import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Bars, type Series } from '../../kit/charts/bars.tsx'
import { Section } from '../../kit/elements.tsx'
import { locale, say, verbatim } from '../../kit/language.ts'
import { Shown } from '../../kit/states.tsx'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import { daysTexts } from './days-texts.ts'

const periods = ['7', '30', '90', '366']
const groupings = ['outcome', 'type'] as const

/** The issuances of each of the last days by outcome or by type, as a chart, a sentence and a table. */
export function Issuances() {
  const [query, change] = useQuery()
  const days = periods.find((each) => each === query.days) ?? '30'
  const by = groupings.find((each) => each === query.by) ?? 'outcome'
  const issued = useRead(
    () => callApi(api.GET('/v1/overview/issuances', { params: { query: { days: Number(days) } } })),
    [days],
  )
  const choices = (
    <>
      <label>
        <span class="unseen">{say(daysTexts.grouping)}</span>
        <select value={by} onChange={(event) => change({ by: event.currentTarget.value })}>
          {groupings.map((each) => (
            <option key={each} value={each}>
              {say(daysTexts[each])}
            </option>
          ))}
        </select>
      </label>
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
    </>
  )
  return (
    <Section title={say(daysTexts.issuances)} actions={choices}>
      <Shown of={issued}>{(days) => <Days of={days} by={by} />}</Shown>
    </Section>
  )
}

type Issued = Schemas['IssuedDays']
type Day = Issued['data'][number]

function Days({ of, by }: { of: Issued; by: (typeof groupings)[number] }) {
  const { data, total } = of
  const [failed, expired] = [sumOf(data, 'failed'), sumOf(data, 'expired')]
  if (total + failed + expired === 0) return <p class="soft">{say(daysTexts.none, { days: data.length })}</p>
  const most = data.reduce((top, each) => (top.issued >= each.issued ? top : each))
  const values = {
    total: numberText(total),
    days: data.length,
    most: numberText(most.issued),
    day: dayText(most.day, data.length),
  }
  const ended = { failed: numberText(failed), expired: numberText(expired) }
  const { series, valuesOf } = by === 'type' ? byType(of) : byOutcome
  return (
    <Bars
      title={daysTexts.issuances}
      period={daysTexts.day}
      series={series}
      bars={data.map((each, place) => ({
        key: each.day,
        label: dayText(each.day, data.length),
        values: valuesOf(each, place),
      }))}
      summary={`${say(daysTexts.summary, values)} ${say(daysTexts.ended, ended)}`}
    />
  )
}

interface Grouped {
  series: readonly Series[]
  valuesOf: (day: Day, place: number) => readonly number[]
}

const byOutcome: Grouped = {
  series: [
    { name: daysTexts.issued, tone: 0 },
    { name: daysTexts.failed, tone: 1 },
    { name: daysTexts.expired, tone: 2 },
  ],
  valuesOf: ({ issued, failed, expired }) => [issued, failed, expired],
}

/** The tones of the configurations. The service counts at most five. */
const tones = [0, 3, 4, 5, 1] as const

/** The last series has the issuances of other configurations. It also has those before the service counted by configuration. */
function byType({ configurations }: Issued): Grouped {
  const names = configurations.map(({ configurationId, name = configurationId }) => name)
  const series = configurations.map(({ configurationId }, place): Series => {
    const name = names[place] ?? ''
    const isUnique = names.indexOf(name) === names.lastIndexOf(name)
    const text = isUnique ? name : `${name} (${configurationId.slice(0, 8)})`
    return { name: verbatim(text), tone: tones[place] ?? 1 }
  })
  return {
    series: [...series, { name: daysTexts.other, tone: 2 }],
    valuesOf({ issued }, place) {
      const counts = configurations.map((each) => each.issued[place] ?? 0)
      // The two counts of a day are read one after the other. The other one can be larger by then.
      return [
        ...counts,
        Math.max(
          0,
          counts.reduce((rest, each) => rest - each, issued),
        ),
      ]
    },
  }
}

function sumOf(data: readonly Day[], name: 'failed' | 'expired'): number {
  return data.reduce((sum, each) => sum + each[name], 0)
}

/** A longer period needs the year of its days. */
const maxDaysWithoutYear = 300

/** Returns the text of a day of a period. Days are in UTC, like those of the service. */
function dayText(day: string, days: number): string {
  const year = days > maxDaysWithoutYear ? ({ year: 'numeric' } as const) : {}
  return new Date(day).toLocaleDateString(locale(), { day: 'numeric', month: 'short', ...year, timeZone: 'UTC' })
}
