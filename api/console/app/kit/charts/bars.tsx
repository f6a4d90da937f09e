import { useId } from 'preact/hooks'
import { say, type Text } from '../language.ts'
import { type Column, Table } from '../table.tsx'
import { numberText } from '../when.tsx'
import { fillOf, Patterns, type Tone } from './patterns.tsx'
import { AsTable, Reading } from './reading.tsx'
import { useCurrent } from './use-current.ts'
import './charts.css'

/** A period, with one value for each series. */
export interface Bar {
  key: string
  label: string
  values: readonly number[]
}

export interface Series {
  name: Text
  /** The colour and the pattern: a position of `charts.css`. */
  tone: Tone
}

interface BarsProps {
  title: Text
  /** The head of the column with the periods. */
  period: Text
  series: readonly Series[]
  /** The earliest first. */
  bars: readonly Bar[]
  /** A sentence that says what the chart shows. */
  summary: string
  /** Formats a value. Default: a number. */
  format?: (value: number) => string
}

/** The minimum number of places. One bar is not as wide as the chart. */
const minPlaces = 7

/** Stacked bars over time. The values are read by pointer and by arrow keys, and from a table. */
export function Bars({ title, period, series, bars, summary, format = numberText }: BarsProps) {
  const id = useId()
  const { current, choose, keys } = useCurrent(bars.length, 'horizontal')
  const most = Math.max(1, ...bars.map(sumOf))
  const width = 100 / Math.max(minPlaces, bars.length)
  const currentBar = current === undefined ? undefined : bars[current]
  return (
    <figure class="chart">
      {series.length > 1 && <Legend id={id} series={series} />}
      <div role="img" aria-label={`${say(title)}. ${summary}`} {...keys}>
        <span class="most">{format(most)}</span>
        <svg class="bars" aria-hidden="true">
          <Patterns id={id} />
          {bars.map(({ key, values }, place) => (
            <g key={key} class={place === current ? 'current' : ''} onPointerEnter={() => choose(place)}>
              <rect class="place" x={`${place * width}%`} width={`${width}%`} height="100%" />
              {segmentsOf(values, series, most).map(({ tone, y, height }) => (
                <rect
                  key={tone}
                  fill={fillOf(id, tone)}
                  class={`edge s${tone}`}
                  x={`${(place + 0.1) * width}%`}
                  width={`${width * 0.8}%`}
                  y={`${y}%`}
                  height={`${height}%`}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <p class="ends" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        {bars.length >= minPlaces && <span>{bars.at(-1)?.label}</span>}
      </p>
      <Reading>{currentBar && readingOf(currentBar, series, format)}</Reading>
      <figcaption>{summary}</figcaption>
      <AsTable>
        <Table
          caption={title}
          columns={columnsOf(period, series, format)}
          rows={bars.toReversed()}
          keyOf={({ key }) => key}
        />
      </AsTable>
    </figure>
  )
}

function Legend({ id, series }: { id: string; series: readonly Series[] }) {
  return (
    <ul class="legend">
      {series.map(({ name, tone }) => (
        <li key={name.id}>
          <svg aria-hidden="true">
            <rect fill={fillOf(id, tone)} class={`edge s${tone}`} />
          </svg>
          {say(name)}
        </li>
      ))}
    </ul>
  )
}

function sumOf({ values }: Bar): number {
  return values.reduce((sum, each) => sum + each, 0)
}

/** Returns the parts of a bar that are not empty, the first series at the bottom, in percent of the height. */
function segmentsOf(values: readonly number[], series: readonly Series[], most: number) {
  let y = 100
  return series.flatMap(({ tone }, place) => {
    const value = values[place] ?? 0
    const height = (value / most) * 100
    y -= height
    return value > 0 ? [{ tone, y, height }] : []
  })
}

function readingOf({ label, values }: Bar, series: readonly Series[], format: (value: number) => string): string {
  const parts = series.map(({ name }, place) => `${say(name)} ${format(values[place] ?? 0)}`)
  return `${label}: ${parts.join(', ')}`
}

function columnsOf(period: Text, series: readonly Series[], format: (value: number) => string): Column<Bar>[] {
  return [
    { head: period, cell: ({ label }) => label },
    ...series.map(({ name: head }, place) => ({
      head,
      cell: ({ values }: Bar) => format(values[place] ?? 0),
      isNumber: true,
    })),
  ]
}
