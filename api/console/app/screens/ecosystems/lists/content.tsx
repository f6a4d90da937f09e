import { useState } from 'preact/hooks'
import { api, callApi } from '../../../kit/api.ts'
import { say } from '../../../kit/language.ts'
import { Empty, Shown } from '../../../kit/states.tsx'
import { useQuery } from '../../../kit/url-state.ts'
import { useRead } from '../../../kit/use-read.ts'
import { numberText } from '../../../kit/when.tsx'
import type { ListKind } from './list-calls.ts'
import { type Listed, ListedTable } from './listed-table.tsx'
import { listTexts } from './texts.ts'

export interface OfNumber {
  ecosystemId: string
  kind: ListKind
  number: string
}

/** The entries of a list, with a search. */
export function Content({ ecosystemId, kind, number }: OfNumber) {
  const content = useRead(() => loadContent(ecosystemId, kind, number), [ecosystemId, kind, number])
  return (
    <Shown of={content}>
      {({ data }) => (data.length > 0 ? <Found of={data} /> : <Empty>{say(listTexts.noneListed)}</Empty>)}
    </Shown>
  )
}

function loadContent(ecosystemId: string, kind: ListKind, number: string) {
  return kind === 'vical'
    ? callApi(
        api.GET('/v1/ecosystems/{ecosystemId}/vicals/public/{vicalIssueId}/certificates', {
          params: { path: { ecosystemId, vicalIssueId: number } },
        }),
      )
    : callApi(
        api.GET('/v1/ecosystems/{ecosystemId}/ricals/public/{ricalIssueId}/certificates', {
          params: { path: { ecosystemId, ricalIssueId: number } },
        }),
      )
}

/** The number of entries per step. A list may have ten thousand. */
const portion = 100

function Found({ of }: { of: readonly Listed[] }) {
  const [{ q = '' }, change] = useQuery()
  const [most, setMost] = useState(portion)
  const needle = q.toLowerCase()
  const matches = of.filter((each) => JSON.stringify(each).toLowerCase().includes(needle))
  const counts = { count: numberText(Math.min(most, matches.length)), all: numberText(of.length) }
  return (
    <>
      <div class="filters">
        <label>
          {say(listTexts.find)}
          <input
            type="search"
            value={q}
            placeholder={say(listTexts.findHint)}
            onChange={(event) => change({ q: event.currentTarget.value })}
          />
        </label>
        <span class="soft">{say(listTexts.listed, counts)}</span>
      </div>
      {matches.length > 0 ? (
        <ListedTable caption={listTexts.content} rows={matches.slice(0, most)} />
      ) : (
        <Empty>{say(listTexts.noneFound)}</Empty>
      )}
      {matches.length > most && (
        <button type="button" onClick={() => setMost(most + portion)}>
          {say(listTexts.more)}
        </button>
      )}
      <p class="soft">{say(listTexts.unsigned)}</p>
    </>
  )
}
