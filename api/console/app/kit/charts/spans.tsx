import { useId } from 'preact/hooks'
import { locale, say, type Text } from '../language.ts'
import { type Column, Table } from '../table.tsx'
import { timeLeftText } from '../time-left.tsx'
import { fillOf, Patterns } from './patterns.tsx'
import { AsTable, Reading } from './reading.tsx'
import { chartTexts } from './texts.ts'
import { useCurrent } from './use-current.ts'
import './charts.css'

/** A document with its validity. */
export interface Span {
  key: string
  name: string
  from: string
  until: string
  /** When the service replaces it. */
  renewsAt?: string | undefined
}

interface SpansProps {
  title: Text
  /** The head of the column with the names. */
  head: Text
  spans: readonly Span[]
}

/** The rows of a chart. The table has all spans. */
const maxRows = 20

/** Lifetimes on a common time axis, with today and the renewals. The values are read by pointer and by arrow keys, and from a table. */
export function Spans({ title, head, spans }: SpansProps) {
  const id = useId()
  const rows = spans.slice(0, maxRows)
  const { current, choose, keys } = useCurrent(rows.length, 'vertical')
  if (rows.length === 0) return null
  const axis = axisOf(rows)
  const currentRow = current === undefined ? undefined : rows[current]
  const hasRenewals = rows.some(({ renewsAt }) => renewsAt)
  const first = rows.reduce((one, other) => (Date.parse(one.until) <= Date.parse(other.until) ? one : other))
  return (
    <figure class="chart">
      <Legend id={id} hasRenewals={hasRenewals} />
      <div role="img" aria-label={`${say(title)}. ${readingOf(first, axis)}`} {...keys}>
        {rows.map((row, place) => (
          <div key={row.key} class={place === current ? 'span current' : 'span'} onPointerEnter={() => choose(place)}>
            <span>{row.name}</span>
            <Row id={id} of={row} axis={axis} />
          </div>
        ))}
      </div>
      <p class="ends" aria-hidden="true">
        <span>{axis.textOf(axis.start)}</span>
        <span>{axis.textOf(axis.end)}</span>
      </p>
      <Reading>{currentRow && readingOf(currentRow, axis)}</Reading>
      <AsTable>
        <Table caption={title} columns={columnsOf(head, axis, hasRenewals)} rows={spans} keyOf={({ key }) => key} />
      </AsTable>
    </figure>
  )
}

interface Axis {
  start: number
  end: number
  now: number
  /** Returns the position of a time, in percent. */
  at: (time: number) => number
  textOf: (time: number) => string
}

const dayMs = 86_400_000
/** Above this length, times of the day are not shown. */
const maxDaysWithTimes = 60

/** Returns the axis from the first to the last time of the spans. It has a margin for marks at its ends. */
function axisOf(spans: readonly Span[]): Axis {
  const now = Date.now()
  const times = spans.flatMap(({ from, until }) => [Date.parse(from), Date.parse(until)])
  const [start, end] = [Math.min(now, ...times), Math.max(now, ...times)]
  const isShort = end - start < maxDaysWithTimes * dayMs
  const time: Intl.DateTimeFormatOptions = isShort ? { timeStyle: 'short' } : {}
  return {
    ...{ start, end, now },
    at: (time) => 1 + (98 * (time - start)) / (end - start),
    textOf: (at) => new Date(at).toLocaleString(locale(), { dateStyle: 'medium', ...time }),
  }
}

/** The part of a span that has passed is hatched. */
function Row({ id, of: { from, until, renewsAt }, axis: { at, now } }: { id: string; of: Span; axis: Axis }) {
  const [start, end] = [Date.parse(from), Date.parse(until)]
  const today = Math.min(end, Math.max(start, now))
  const part = (tone: 0 | 2, left: number, right: number) =>
    right > left && (
      <rect fill={fillOf(id, tone)} class={`edge s${tone}`} x={`${at(left)}%`} width={`${at(right) - at(left)}%`} />
    )
  return (
    <svg class="row" aria-hidden="true">
      <line class="base" x1="1%" x2="99%" y1="50%" y2="50%" />
      {part(2, start, today)}
      {part(0, today, end)}
      <line class="today" x1={`${at(now)}%`} x2={`${at(now)}%`} y2="100%" />
      {renewsAt && (
        <svg class="renewal" aria-hidden="true" x={`${at(Date.parse(renewsAt))}%`}>
          <Diamond />
        </svg>
      )}
    </svg>
  )
}

function Diamond() {
  return <path class="diamond" d="M0 3 8 11 0 19-8 11Z" />
}

function Legend({ id, hasRenewals }: { id: string; hasRenewals: boolean }) {
  return (
    <ul class="legend">
      {([2, 0] as const).map((tone) => (
        <li key={tone}>
          <svg aria-hidden="true">
            {tone === 2 && <Patterns id={id} />}
            <rect fill={fillOf(id, tone)} class={`edge s${tone}`} />
          </svg>
          {say(tone === 2 ? chartTexts.passed : chartTexts.left)}
        </li>
      ))}
      <li>
        <svg aria-hidden="true">
          <line class="today" x1="50%" x2="50%" y2="100%" />
        </svg>
        {say(chartTexts.today)}
      </li>
      {hasRenewals && (
        <li>
          <svg viewBox="-9 2 18 18" aria-hidden="true">
            <Diamond />
          </svg>
          {say(chartTexts.renewal)}
        </li>
      )}
    </ul>
  )
}

function readingOf({ name, from, until, renewsAt }: Span, { textOf }: Axis): string {
  const end = Date.parse(until)
  const parts = [`${textOf(Date.parse(from))} – ${textOf(end)}`, timeLeftText(end)]
  if (renewsAt) parts.push(`${say(chartTexts.renewal)} ${textOf(Date.parse(renewsAt))}`)
  return `${name}: ${parts.join(', ')}`
}

function columnsOf(head: Text, { textOf }: Axis, hasRenewals: boolean): Column<Span>[] {
  const time = (at: string | undefined) => (at ? textOf(Date.parse(at)) : '–')
  return [
    { head, cell: ({ name }) => name },
    { head: chartTexts.from, cell: ({ from }) => time(from) },
    { head: chartTexts.until, cell: ({ until }) => time(until) },
    { head: chartTexts.left, cell: ({ until }) => timeLeftText(Date.parse(until)) },
    ...(hasRenewals ? [{ head: chartTexts.renewal, cell: ({ renewsAt }: Span) => time(renewsAt) }] : []),
  ]
}
