import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { Id } from '../../kit/copy.tsx'
import { ConfirmButton } from '../../kit/dialog.tsx'
import { DownloadButton } from '../../kit/download.tsx'
import { Facts, Section } from '../../kit/elements.tsx'
import { say, type Text } from '../../kit/language.ts'
import { Named } from '../../kit/named.tsx'
import { Screen } from '../../kit/screen.tsx'
import { can } from '../../kit/session.ts'
import { Shown } from '../../kit/states.tsx'
import { commonTexts } from '../../kit/texts.ts'
import { to } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { numberText, When } from '../../kit/when.tsx'
import { offerTexts } from '../offers/texts.ts'
import { Actions } from './actions.tsx'
import { oneTexts } from './bulk-texts.ts'
import { Links } from './links.tsx'
import { listTexts } from './list-texts.ts'
import { personTexts } from './person-texts.ts'
import { Progress, StateBadge } from './progress.tsx'
import { Rows } from './rows.tsx'
import { type Bulk, isActive } from './states.ts'
import { bulkTexts } from './texts.ts'
import './bulk.css'

const oftenMs = 2_000
const seldomMs = 20_000

/** One file: its progress, the rows with an error, and the results. */
export default function OneBulk() {
  const { id = '' } = useRoute().params
  const [everyMs, setEveryMs] = useState(oftenMs)
  const read = () => callApi(api.GET('/v1/bulk-issuances/{id}', { params: { path: { id } } }))
  const bulk = useRead(read, [id], { everyMs })
  const state = bulk.data?.state
  const isOfPerson = bulk.data?.source === 'person'
  const label = useLabel(id, isOfPerson)
  useEffect(() => setEveryMs(!state || isActive({ state }) ? oftenMs : seldomMs), [state])
  const up = { href: to('/bulk'), title: say(bulkTexts.bulk) }
  return (
    <Screen
      title={bulk.data?.fileName ?? say(isOfPerson ? personTexts.row : bulkTexts.bulk)}
      label={label === undefined ? undefined : { text: label, id }}
      up={up}
    >
      <Shown of={bulk}>
        {(current) => (
          <>
            <About bulk={current} onChange={() => void bulk.reload()} />
            {current.links && <Links bulk={current} counts={current.links} onChange={() => void bulk.reload()} />}
            {current.done > 0 && can('retrieveBulkResults') && <Results bulk={current} />}
            {current.state !== 'failed' && current.total > 0 && <Rows bulk={current} />}
          </>
        )}
      </Shown>
    </Screen>
  )
}

/** Returns the label of the only link of a person. */
function useLabel(id: string, isOfPerson: boolean): string | undefined {
  const params = { path: { id }, query: { limit: 1 } }
  const read = () => callApi(api.GET('/v1/bulk-issuances/{id}/rows', { params }))
  const rows = useRead(
    () => (isOfPerson ? read() : Promise.resolve<Answered<{ data: Schemas['BulkRow'][] }>>({ data: { data: [] } })),
    [id, isOfPerson],
  )
  return rows.data?.data[0]?.label
}

function About({ bulk, onChange }: { bulk: Bulk; onChange: () => void }) {
  const { id, state, sizeBytes, total, valid, invalid, done, failed, erased, createdAt, endedAt } = bulk
  const { configurationIds, columns, view } = bulk
  const counted = { valid: numberText(valid), invalid: numberText(invalid) }
  return (
    <section>
      <div class="advance">
        <StateBadge state={state} />
        <Progress of={bulk} />
      </div>
      <Failure bulk={bulk} />
      <Warnings of={bulk.warnings ?? []} />
      {state === 'ready' && <p class="note">{say(oneTexts.checked, counted)}</p>}
      <Actions bulk={bulk} onChange={onChange} />
      <Facts
        of={[
          [oneTexts.total, numberText(total)],
          [oneTexts.invalid, numberText(invalid)],
          [oneTexts.issued, numberText(done)],
          [oneTexts.failed, failed > 0 && numberText(failed)],
          [oneTexts.erased, erased > 0 && numberText(erased)],
          [listTexts.mode, say(listTexts[bulk.mode])],
          [oneTexts.configuration, <Names key="names" ids={configurationIds} />],
          [offerTexts.view, view && <Named key="view" kind="view" id={view} />],
          [oneTexts.unusedColumns, columns && columns.unused.length > 0 && columns.unused.join(', ')],
          [oneTexts.missingColumns, columns && columns.missing.length > 0 && columns.missing.join(', ')],
          [oneTexts.file, say(oneTexts.size, { size: numberText(Math.ceil(sizeBytes / 1000)) })],
          [commonTexts.created, <When key="created" at={createdAt} />],
          [oneTexts.ended, endedAt && <When key="ended" at={endedAt} />],
          [commonTexts.id, <Id key="id" value={id} />],
        ]}
      />
    </section>
  )
}

function Warnings({ of: warnings }: { of: NonNullable<Bulk['warnings']> }) {
  if (warnings.length === 0) return null
  return (
    <div class="note">
      <p>{say(oneTexts.warnings)}</p>
      <ul>
        {warnings.map(({ column, message, rows, firstRow }) => (
          <li key={`${column} ${message}`}>
            {column !== undefined && <code>{column}</code>} {message}{' '}
            <span class="soft">{say(oneTexts.warnedRows, { count: rows, first: firstRow })}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

const failureTexts: Partial<Record<Bulk['state'], Text>> = {
  failed: oneTexts.refusedBecause,
  ready: oneTexts.startPausedBecause,
}

function Failure({ bulk: { state, failure } }: { bulk: Bulk }) {
  if (!failure) return null
  return (
    <div class="problem" role="alert">
      <p>{say(failureTexts[state] ?? oneTexts.pausedBecause)}</p>
      <p>{failure.message}</p>
      <p class="soft">
        <code>{failure.code}</code>
      </p>
    </div>
  )
}

function Names({ ids }: { ids: readonly string[] }) {
  return (
    <>
      {ids.map((id) => (
        <div key={id}>
          <Named kind="configuration" id={id} />
        </div>
      ))}
    </>
  )
}

function Results({ bulk }: { bulk: Bulk }) {
  const { id, fileName, mode } = bulk
  const path = `/v1/bulk-issuances/${id}/results`
  const name = fileName.replace(/(\.(csv|tsv|txt|jsonl|ndjson))?(\.gz)?$/i, '')
  return (
    <Section title={say(oneTexts.results)}>
      <p class="soft">{say(mode === 'links' ? oneTexts.linksWhat : oneTexts.resultsWhat)}</p>
      <div class="actions">
        <DownloadButton
          calls="retrieveBulkResults"
          label={say(oneTexts.csv)}
          path={path}
          name={`${name}-results.csv`}
          accept="text/csv"
        />
        <DownloadButton
          calls="retrieveBulkResults"
          label={say(oneTexts.jsonl)}
          path={path}
          name={`${name}-results.jsonl`}
          accept="application/jsonl"
        />
        {bulk.transactionCode && bulk.endedAt && <CodeRemoval id={id} />}
      </div>
    </Section>
  )
}

/** Confirms the results. A browser does not tell whether a file was saved, so the person does. */
function CodeRemoval({ id }: { id: string }) {
  const [isDone, setDone] = useState(false)
  if (isDone) return <p role="status">{say(oneTexts.codesRemoved)}</p>
  return (
    <ConfirmButton
      calls="confirmBulkResults"
      label={say(oneTexts.removeCodes)}
      title={say(oneTexts.removeCodesTitle)}
      act={() => callApi(api.POST('/v1/bulk-issuances/{id}/results/received', { params: { path: { id } } }))}
      onDone={() => setDone(true)}
    >
      <p>{say(oneTexts.removeCodesWhat)}</p>
    </ConfirmButton>
  )
}
