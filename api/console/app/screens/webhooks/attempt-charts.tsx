import { api, callApi } from '../../kit/api.ts'
import { type Bar, Bars } from '../../kit/charts/bars.tsx'
import { Section } from '../../kit/elements.tsx'
import { locale, say } from '../../kit/language.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText } from '../../kit/when.tsx'
import type { Delivery } from './attempts.tsx'
import { attemptChartTexts as own } from './chart-texts.ts'

/** The number of newest deliveries whose attempts are shown. */
const maxDeliveries = 500

type Attempt = Delivery['attempts'][number]

/** The results and response times of the attempts of the newest deliveries, by hour or by day. */
export function AttemptCharts({ webhookId }: { webhookId: string }) {
  const query = { order: 'newest', limit: maxDeliveries } as const
  const { data: page } = useRead(
    () => callApi(api.GET('/v1/webhooks/{webhookId}/deliveries', { params: { path: { webhookId }, query } })),
    [webhookId],
    { everyMs: 60_000 },
  )
  const attempts = page?.data.flatMap((each) => each.attempts) ?? []
  if (!page || attempts.length === 0) return null
  const { periods, isByHour, first } = periodsOf(attempts)
  const head = isByHour ? own.hour : own.day
  const succeeded = attempts.filter(isSuccess).length
  const times = attempts.map(({ durationMs }) => durationMs)
  return (
    <Section title={say(own.title)}>
      <p class="soft">
        {say(own.period, {
          count: numberText(page.data.length),
          from: new Date(first).toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short' }),
        })}
      </p>
      <h3>{say(own.results)}</h3>
      <Bars
        title={own.results}
        period={head}
        series={[
          { name: own.succeeded, tone: 0 },
          { name: own.failed, tone: 1 },
        ]}
        bars={barsOf(periods, isByHour, (of) => {
          const good = of.filter(isSuccess).length
          return [good, of.length - good]
        })}
        summary={say(own.resultSummary, {
          ...{ succeeded: numberText(succeeded), all: numberText(attempts.length) },
          percent: (succeeded / attempts.length).toLocaleString(locale(), {
            style: 'percent',
            maximumFractionDigits: 1,
          }),
        })}
      />
      <h3>{say(own.times)}</h3>
      <Bars
        title={own.times}
        period={head}
        series={[{ name: own.median, tone: 0 }]}
        bars={barsOf(periods, isByHour, (of) => [medianOf(of.map(({ durationMs }) => durationMs))])}
        summary={say(own.timeSummary, { median: msText(medianOf(times)), slowest: msText(Math.max(...times)) })}
        format={msText}
      />
    </Section>
  )
}

function isSuccess({ status = 0, error }: Attempt): boolean {
  return error === undefined && status >= 200 && status < 300
}

const hourMs = 3_600_000
/** A longer time is shown by day. */
const maxHours = 48

/** Returns the attempts of each hour or day from the first attempt until now, in the reader's time zone. */
function periodsOf(attempts: readonly Attempt[]) {
  const first = Math.min(...attempts.map(({ at }) => Date.parse(at)))
  const isByHour = Date.now() - first < maxHours * hourMs
  const startOf = (time: number) => {
    const start = new Date(time)
    if (isByHour) return start.setMinutes(0, 0, 0)
    return start.setHours(0, 0, 0, 0)
  }
  const periods = new Map<number, Attempt[]>()
  // An hour of a day with 23 or 25 hours begins the same period again.
  for (let time = startOf(first); time <= Date.now(); time += hourMs) periods.set(startOf(time), [])
  for (const attempt of attempts) periods.get(startOf(Date.parse(attempt.at)))?.push(attempt)
  return { periods, isByHour, first }
}

function barsOf(
  periods: ReadonlyMap<number, readonly Attempt[]>,
  isByHour: boolean,
  valuesOf: (attempts: readonly Attempt[]) => number[],
): Bar[] {
  const time: Intl.DateTimeFormatOptions = isByHour ? { hour: '2-digit', minute: '2-digit' } : {}
  return [...periods].map(([start, attempts]) => ({
    key: String(start),
    label: new Date(start).toLocaleString(locale(), { day: 'numeric', month: 'short', ...time }),
    values: valuesOf(attempts),
  }))
}

/** Returns the lower one of two middle values, and 0 for no values. */
function medianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0
}

function msText(ms: number): string {
  return ms === 0 ? '–' : `${numberText(ms)} ms`
}
