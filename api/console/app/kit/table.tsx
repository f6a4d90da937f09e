import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { say, type Text } from './language.ts'
import { ManagedMark } from './managed-mark.tsx'
import { Shown } from './states.tsx'
import { commonTexts } from './texts.ts'
import { to, useQuery } from './url-state.ts'
import type { Reading } from './use-read.ts'

export interface Column<Row> {
  head: Text
  cell: (row: Row) => ComponentChildren
  /** Aligns the column to the right. */
  isNumber?: boolean
}

/** A table. On a phone each row is a card. The first column names the row. */
export function Table<Row>(props: {
  caption: Text
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The path of the object of a row in the API, if configuration files can manage it. */
  resourceOf?: ((row: Row) => string) | undefined
}) {
  const { caption, columns, rows, keyOf, resourceOf } = props
  return (
    <div class="wide">
      <table style={{ '--columns': columns.length }}>
        <caption class="unseen">{say(caption)}</caption>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head.id} scope="col" class={isNumber ? 'number' : ''}>
                {say(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell, isNumber }, index) => (
                <td key={head.id} data-head={say(head)} class={isNumber ? 'number' : ''}>
                  <div onPointerEnter={(event) => titleIfCut(event.currentTarget)}>
                    {cell(row)}
                    {index === 0 && resourceOf && ' '}
                    {index === 0 && resourceOf && <ManagedMark resource={resourceOf(row)} isShort />}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Gives a cell a tooltip with its whole text while the text is longer than its column. */
function titleIfCut(cell: HTMLElement): void {
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.innerText
  else cell.removeAttribute('title')
}

export interface Page<Row> {
  data: readonly Row[]
  nextCursor?: string | undefined
}

/** A page of a list operation, with links to the next and the first page. Shows `empty` if the list is empty. */
export function PagedTable<Row>(props: {
  of: Reading<Page<Row>>
  caption: Text
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  resourceOf?: ((row: Row) => string) | undefined
  empty: ComponentChildren
}) {
  const { of, empty, ...table } = props
  return (
    <Shown of={of}>
      {({ data, nextCursor }) => (
        <>
          {data.length > 0 ? <Table {...table} rows={data} /> : empty}
          <Pager next={nextCursor} />
        </>
      )}
    </Shown>
  )
}

/** The cursor is in the address, so that the back button of the browser returns to the previous page. */
export function Pager({ next }: { next: string | undefined }) {
  const { path } = useLocation()
  const [{ cursor, ...query }] = useQuery()
  const at = (changed: string | undefined) =>
    to(path.replace(/^\/console/, ''), { ...query, cursor: changed }) + location.hash
  if (!cursor && !next) return null
  return (
    <nav class="pager" aria-label={say(commonTexts.next)}>
      {cursor && <a href={at(undefined)}>{say(commonTexts.first)}</a>}
      {next && (
        <a href={at(next)} rel="next">
          {say(commonTexts.next)}
        </a>
      )}
    </nav>
  )
}
