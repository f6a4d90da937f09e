import type { ComponentChildren } from 'preact'
import type { Answered } from '../../kit/api.ts'
import { Section } from '../../kit/bits.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { say, type Text } from '../../kit/language.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, type Page, PagedTable } from '../../kit/table.tsx'
import { words } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'

export interface CollectionWords {
  title: Text
  about: Text
  create: Text
  empty: Text
  deleteTitle: Text
  deleteText: Text
}

/** What is typed to delete a thing is its name. */
interface Deletion<Row> {
  word: (row: Row) => string
  act: (row: Row) => Promise<Answered<unknown>>
}

/** Things of one kind in a tab: listed, and one of them, or a new one, in a form above; which one stands in the address. */
export function Collection<Row>(props: {
  texts: CollectionWords
  list: (query: { limit: number; cursor?: string }) => Promise<Answered<Page<Row>>>
  idOf: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Undefined for a new one. Without it nothing is edited, and `create` makes new ones. */
  form: (row: Row | undefined, end: () => void) => ComponentChildren
  isEdited?: boolean
  deletion: Deletion<Row>
  actions?: (row: Row, reload: () => void) => ComponentChildren
  /** What can be done beside making new ones. */
  tools?: ComponentChildren
}) {
  const { texts, list, idOf, columns, form, isEdited = true, deletion, actions, tools } = props
  const [{ item, cursor }, change] = useQuery()
  const rows = useRead(() => list({ limit: 50, ...(cursor && { cursor }) }), [texts.title.en, cursor])
  const reload = () => void rows.reload()
  const show = (id: string | undefined) => change({ item: id, cursor })
  const end = () => {
    reload()
    show(undefined)
  }
  const edited = isEdited ? rows.data?.data.find((row) => idOf(row) === item) : undefined
  const create = (
    <button type="button" class="primary" onClick={() => show('new')}>
      {say(texts.create)}
    </button>
  )
  const buttons = (row: Row) => (
    <div class="actions">
      {isEdited && (
        <button type="button" onClick={() => show(idOf(row))}>
          {say(words.edit)}
        </button>
      )}
      {actions?.(row, reload)}
      <ConfirmButton
        label={say(words.delete)}
        title={say(texts.deleteTitle)}
        word={deletion.word(row)}
        act={() => deletion.act(row)}
        onDone={end}
      >
        <p>{say(texts.deleteText)}</p>
      </ConfirmButton>
    </div>
  )
  return (
    <>
      {item === 'new' && (
        <Section key="new" title={say(texts.create)}>
          {form(undefined, end)}
        </Section>
      )}
      {edited !== undefined && (
        <Section key={item} title={say(words.edit)}>
          {form(edited, end)}
        </Section>
      )}
      <Section
        title={say(texts.title)}
        actions={
          <>
            {tools}
            {create}
          </>
        }
      >
        <p class="soft">{say(texts.about)}</p>
        <PagedTable
          of={rows}
          caption={texts.title}
          keyOf={idOf}
          columns={[...columns, { head: words.actions, cell: buttons }]}
          empty={<Empty action={create}>{say(texts.empty)}</Empty>}
        />
      </Section>
    </>
  )
}
