import type { ComponentChildren } from 'preact'
import type { Answered } from './api.ts'
import { ConfirmButton } from './dialog.tsx'
import { Section } from './elements.tsx'
import { say, type Text } from './language.ts'
import { RowMenu } from './row-menu.tsx'
import { type Calls, canCall } from './session.ts'
import { Empty } from './states.tsx'
import { type Column, type Page, PagedTable } from './table.tsx'
import { commonTexts } from './texts.ts'
import { useQuery } from './url-state.ts'
import { useRead } from './use-read.ts'

export interface CollectionTexts {
  title: Text
  about: Text
  create: Text
  empty: Text
  deleteTitle: Text
  deleteText: Text
}

/** The texts of a deletion. The user types the name of the row to confirm it. */
interface Deletion<Row> {
  word: (row: Row) => string
  act: (row: Row) => Promise<Answered<unknown>>
}

interface CollectionProps<Row> {
  /** The operations that create, change and delete an object. Users who may not call one of them do not see its button. */
  calls: { create: Calls; change?: Calls; remove: Calls }
  texts: CollectionTexts
  /** The name of the guide about the objects, with an optional part of it. */
  guide?: string
  list: (query: { limit: number; cursor?: string }) => Promise<Answered<Page<Row>>>
  idOf: (row: Row) => string
  /** The path of the list in the API, if configuration files can manage its objects. */
  path?: string
  columns: readonly Column<Row>[]
  /** `row` is undefined for a new object. */
  form: (row: Row | undefined, end: () => void) => ComponentChildren
  deletion: Deletion<Row>
  actions?: (row: Row, reload: () => void) => ComponentChildren
  /** Further actions, besides creating an object. */
  tools?: ComponentChildren
}

/**
 * A tab that lists objects of one kind, with a form for a new or an existing object above the list. The address names the object of
 * the form.
 */
export function Collection<Row>(props: CollectionProps<Row>) {
  const { calls, texts, guide, list, idOf, path, columns, form, deletion, actions, tools } = props
  const [{ item, cursor }, change] = useQuery()
  const rows = useRead(() => list({ limit: 50, ...(cursor && { cursor }) }), [texts.title.id, cursor])
  const reload = () => void rows.reload()
  const show = (id: string | undefined) => change({ item: id, cursor })
  const end = () => {
    reload()
    show(undefined)
  }
  const isEdited = calls.change !== undefined && canCall(calls.change)
  const isNew = item === 'new' && canCall(calls.create)
  const edited = isEdited ? rows.data?.data.find((row) => idOf(row) === item) : undefined
  const create = canCall(calls.create) && (
    <button type="button" class="primary" onClick={() => show('new')}>
      {say(texts.create)}
    </button>
  )
  const buttons = (row: Row) => (
    <RowActions
      of={row}
      remove={calls.remove}
      {...{ texts, deletion }}
      onDeleted={end}
      onEdit={isEdited && (() => show(idOf(row)))}
    >
      {actions?.(row, reload)}
    </RowActions>
  )
  return (
    <>
      {(isNew || edited !== undefined) && (
        <Section key={item} title={say(isNew ? texts.create : commonTexts.edit)}>
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
        <About text={texts.about} guide={guide} />
        <PagedTable
          of={rows}
          caption={texts.title}
          keyOf={idOf}
          resourceOf={path ? (row) => `${path}/${idOf(row)}` : undefined}
          columns={[...columns, { head: commonTexts.actions, cell: buttons }]}
          empty={<Empty action={create}>{say(texts.empty)}</Empty>}
        />
      </Section>
    </>
  )
}

function About({ text, guide }: { text: Text; guide: string | undefined }) {
  return (
    <p class="soft">
      {say(text)}{' '}
      {guide && (
        <a href={`/docs/guide/${guide}`} target="_blank" rel="noreferrer">
          {say(commonTexts.guide)}&nbsp;↗
        </a>
      )}
    </p>
  )
}

function RowActions<Row>(props: {
  of: Row
  remove: Calls
  texts: CollectionTexts
  deletion: Deletion<Row>
  onDeleted: () => void
  /** False if the object cannot be edited, or not by the user. */
  onEdit: false | (() => void)
  /** Further actions. */
  children: ComponentChildren
}) {
  const { of, remove, texts, deletion, onDeleted, onEdit, children } = props
  return (
    <RowMenu>
      {onEdit && (
        <button type="button" onClick={onEdit}>
          {say(commonTexts.edit)}
        </button>
      )}
      {children}
      {canCall(remove) && (
        <ConfirmButton
          calls={remove}
          label={say(commonTexts.delete)}
          title={say(texts.deleteTitle)}
          word={deletion.word(of)}
          act={() => deletion.act(of)}
          onDone={onDeleted}
        >
          <p>{say(texts.deleteText)}</p>
        </ConfirmButton>
      )}
    </RowMenu>
  )
}
