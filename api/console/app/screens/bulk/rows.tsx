import { useState } from 'preact/hooks'
import { api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { DownloadButton } from '../../kit/download.tsx'
import { Section } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { Empty } from '../../kit/states.tsx'
import { type Column, PagedTable } from '../../kit/table.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, ShortTime } from '../../kit/when.tsx'
import { lastPreview } from './last-preview.ts'
import { LinkActions, type LinkChanges, MadeLink, type Renewed } from './link-actions.tsx'
import { faultTexts, rowTexts } from './row-texts.ts'
import { type Bulk, isActive, linkStates } from './states.ts'

type Row = Schemas['BulkRow']

const states = ['invalid', 'failed', 'valid'] as const satisfies readonly Row['state'][]
type State = (typeof states)[number] | (typeof linkStates)[number] | 'done'
const pollMs = 5_000

/** The rows in a state: first those with an error, beside their content if this page uploaded the file. */
export function Rows({ bulk }: { bulk: Bulk }) {
  const [query, change] = useQuery()
  const possible: readonly State[] = [...states, ...(bulk.mode === 'links' ? linkStates : (['done'] as const))]
  const state = possible.find((each) => each === query.state) ?? 'invalid'
  const { cursor, externalId } = query
  const page = externalId ? { externalId, limit: 1 } : { state, limit: 50, ...(cursor && { cursor }) }
  const rows = useRead(
    () => callApi(api.GET('/v1/bulk-issuances/{id}/rows', { params: { path: { id: bulk.id }, query: page } })),
    // A change of the state of the file changes its rows.
    [bulk.id, page, bulk.state],
    { everyMs: isActive(bulk) ? pollMs : undefined },
  )
  const [made, setMade] = useState<Renewed>()
  const reload = () => void rows.reload()
  const close = () => {
    setMade(undefined)
    reload()
  }
  return (
    <Section title={say(rowTexts.rows)}>
      <div class="filters">
        <label>
          {say(commonTexts.state)}
          <select value={state} onChange={(event) => change({ state: event.currentTarget.value })}>
            {possible.map((each) => (
              <option key={each} value={each}>
                {say(rowTexts[each])}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say(rowTexts.externalId)}
          <input
            type="search"
            value={externalId ?? ''}
            autoComplete="off"
            onChange={(event) => change({ externalId: event.currentTarget.value.trim() })}
          />
        </label>
      </div>
      <PagedTable
        of={rows}
        caption={rowTexts.rows}
        columns={[
          ...(rows.data?.data.some(({ label }) => label !== undefined) ? [labelColumn] : []),
          ...columnsOf(externalId ? (rows.data?.data[0]?.state ?? state) : state, bulk.id, {
            onMade: setMade,
            onRevoked: reload,
          }),
        ]}
        keyOf={({ row }) => String(row)}
        empty={<Empty>{say(state === 'invalid' && !externalId ? rowTexts.noErrors : rowTexts.none)}</Empty>}
      />
      <StateDownload id={bulk.id} state={state} />
      {made && <MadeLink key={made.link} of={made} title={say(rowTexts.madeLink, { row: made.row })} onClose={close} />}
    </Section>
  )
}

/** Saves the list of claim links in one state. */
function StateDownload({ id, state }: { id: string; state: State }) {
  if (!linkStates.some((each) => each === state)) return null
  const path = `/v1/bulk-issuances/${id}/results?state=${state}`
  return (
    <DownloadButton
      calls="retrieveBulkResults"
      label={say(rowTexts.stateCsv)}
      path={path}
      name={`${state}.csv`}
      accept="text/csv"
    />
  )
}

const labelColumn: Column<Row> = { head: commonTexts.label, cell: ({ label }) => label }

function columnsOf(state: State, id: string, changes: LinkChanges): readonly Column<Row>[] {
  const preview = lastPreview.value?.id === id ? lastPreview.value.preview : undefined
  const isWrong = state === 'invalid' || state === 'failed'
  const wrong: Column<Row>[] = [
    { head: rowTexts.column, cell: ({ column }) => column ?? '–' },
    { head: rowTexts.reason, cell: (row) => <Reason row={row} /> },
    ...(preview
      ? [
          {
            head: rowTexts.content,
            cell: ({ row }: Row) => <Cells cells={preview.rows.find(({ number }) => number === row)?.cells} />,
          },
        ]
      : []),
  ]
  const issued: Column<Row>[] =
    state === 'done'
      ? [{ head: rowTexts.credential, cell: ({ credentialId }) => (credentialId ? <Id value={credentialId} /> : '–') }]
      : []
  return [
    { head: rowTexts.row, cell: ({ row }) => numberText(row) },
    { head: rowTexts.externalId, cell: ({ externalId }) => externalId ?? '–' },
    ...(isWrong ? wrong : isLink(state) ? linkColumns(id, changes) : issued),
  ]
}

const isLink = (state: State) => linkStates.some((each) => each === state)

function linkColumns(id: string, changes: LinkChanges): Column<Row>[] {
  return [
    { head: rowTexts.ends, cell: ({ expiresAt }) => <ShortTime at={expiresAt} /> },
    { head: rowTexts.lastOpened, cell: ({ openedAt }) => <ShortTime at={openedAt} /> },
    { head: commonTexts.actions, cell: (row) => <LinkActions id={id} row={row} {...changes} /> },
  ]
}

/** The errors whose message has more than the sentence and the column: a reason, a number or a limit. */
const detailed =
  /^(invalid_claim|not_signed|duplicate_external_id|too_(few|many)_cells|kept_cells_too_large|row_too_large)$/

/** The sentence of an error. The tooltip has the message of the service and the code. */
function Reason({ row: { code = '', message = '', column } }: { row: Row }) {
  const faultText = Object.hasOwn(faultTexts, code) ? faultTexts[code] : undefined
  const hasMore = detailed.test(code) || (code === 'missing_claim' && column === undefined)
  return (
    <span title={`${message} (${code})`}>
      {faultText ? say(faultText) : <span lang="en">{message}</span>}{' '}
      {faultText && hasMore && (
        <small class="soft" lang="en">
          {message}
        </small>
      )}
      {!faultText && <code>{code}</code>}
    </span>
  )
}

function Cells({ cells }: { cells: readonly string[] | undefined }) {
  return <>{cells ? cells.map((cell) => cell || '–').join(' · ') : '–'}</>
}
