import { useState } from 'preact/hooks'
import { type Answered, api, callApi, type Schemas } from '../../kit/api.ts'
import { csvOf } from '../../kit/csv.ts'
import { useAction } from '../../kit/dialog.tsx'
import { saveText } from '../../kit/download.tsx'
import { say } from '../../kit/language.ts'
import { ProblemMessage } from '../../kit/states.tsx'
import type { ListQuery } from './filters.tsx'
import { listTexts } from './list-texts.ts'

type Issued = Schemas['IssuedCredential']

/** The file has at most this many rows and takes at most this many requests. */
const maxRows = 10_000
const maxPages = 50

const columns = [
  'id',
  'type',
  'profile',
  'status',
  'isRevocable',
  'userId',
  'credentialConfigurationId',
  'offerId',
  'issuedDate',
  'validFrom',
  'validUntil',
  'signerId',
] as const

/** A button that saves all credentials of the filter, from the first page on. */
export function SaveCsv({ filter }: { filter: Omit<ListQuery, 'cursor' | 'limit'> }) {
  const [cutAt, setCutAt] = useState<number>()
  const { run, problem, isBusy } = useAction(
    () => readAll(filter),
    ({ rows, isWhole }) => {
      saveText(csvOf(columns, rows.map(cellsOf)), 'credentials.csv')
      setCutAt(isWhole ? undefined : rows.length)
    },
  )
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void run()}>
        {say(listTexts.csv)}
      </button>
      {problem && <ProblemMessage problem={problem} />}
      {cutAt !== undefined && (
        <p class="note" role="status">
          {say(listTexts.csvCut, { count: cutAt })}
        </p>
      )}
    </>
  )
}

const cellsOf = (row: Issued) => columns.map((name) => String(row[name] ?? ''))

async function readAll(
  filter: Omit<ListQuery, 'cursor' | 'limit'>,
): Promise<Answered<{ rows: Issued[]; isWhole: boolean }>> {
  const rows: Issued[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && rows.length < maxRows; page++) {
    const query = { ...filter, limit: Math.min(1_000, maxRows - rows.length), ...(cursor !== undefined && { cursor }) }
    const { data, problem } = await callApi(api.GET('/v2/credentials/issued', { params: { query } }))
    if (problem) return { problem }
    rows.push(...data.data)
    cursor = data.nextCursor
    if (cursor === undefined) return { data: { rows, isWhole: true } }
  }
  return { data: { rows, isWhole: false } }
}
