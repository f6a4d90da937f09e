import { useEffect } from 'preact/hooks'
import type { Schemas } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { useStateOf } from '../../kit/state-of.ts'
import type { Column } from '../../kit/table.tsx'
import { numberText } from '../../kit/when.tsx'
import { listTexts } from './list-texts.ts'
import { RevokeSelected } from './revoke-selected.tsx'

type Issued = Schemas['IssuedCredential']

/** The selected rows by id. They can be on several pages. */
export interface Selection {
  of: ReadonlyMap<string, Issued>
  set(rows: readonly Issued[], isSelected: boolean): void
  clear(): void
}

/** The selection ends when the filter changes, because its rows would no longer be on any page. */
export function useSelection(filter: string, page: readonly Issued[] = none): Selection {
  const [of, setOf] = useStateOf<ReadonlyMap<string, Issued>>(filter, nothing)
  // A selected row can have changed since it was selected.
  useEffect(
    () =>
      setOf((before) =>
        withRows(
          before,
          page.filter(({ id }) => before.has(id)),
        ),
      ),
    [page],
  )
  return {
    of,
    set: (rows, isSelected) =>
      setOf((before) => {
        if (isSelected) return withRows(before, rows)
        const deselected = new Set(rows.map(({ id }) => id))
        return new Map([...before].filter(([id]) => !deselected.has(id)))
      }),
    clear: () => setOf(() => nothing),
  }
}

const none: readonly Issued[] = []
const nothing: ReadonlyMap<string, Issued> = new Map()

function withRows(before: ReadonlyMap<string, Issued>, rows: readonly Issued[]): ReadonlyMap<string, Issued> {
  return rows.length === 0 ? before : new Map([...before, ...rows.map((row) => [row.id, row] as const)])
}

export function selectionColumn(selection: Selection): Column<Issued> {
  return {
    head: listTexts.select,
    cell: (row) => (
      <input
        type="checkbox"
        aria-label={say(listTexts.selectOne, { id: row.id })}
        checked={selection.of.has(row.id)}
        onChange={({ currentTarget: { checked } }) => selection.set([row], checked)}
      />
    ),
  }
}

/** Selects the whole page, shows the number of selected rows, and revokes them. */
export function SelectionBar(props: { selection: Selection; page: readonly Issued[]; onDone: () => void }) {
  const { selection, page, onDone } = props
  const { size } = selection.of
  const onPage = page.filter(({ id }) => selection.of.has(id)).length
  const isWhole = page.length > 0 && onPage === page.length
  return (
    <div class="actions selection">
      <label>
        <input
          type="checkbox"
          checked={isWhole}
          indeterminate={onPage > 0 && !isWhole}
          onChange={({ currentTarget: { checked } }) => selection.set(page, checked)}
        />
        {say(listTexts.selectPage)}
      </label>
      {size > 0 && (
        <>
          <span role="status">{say(listTexts.selected, { count: numberText(size) })}</span>
          <RevokeSelected
            rows={[...selection.of.values()]}
            onDone={() => {
              selection.clear()
              onDone()
            }}
          />
          <button type="button" onClick={selection.clear}>
            {say(listTexts.clear)}
          </button>
        </>
      )}
    </div>
  )
}
