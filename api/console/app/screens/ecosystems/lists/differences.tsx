import { api, callApi } from '../../../kit/api.ts'
import { say, type Text } from '../../../kit/language.ts'
import { Empty, Shown } from '../../../kit/states.tsx'
import { useRead } from '../../../kit/use-read.ts'
import { numberText } from '../../../kit/when.tsx'
import type { OfNumber } from './content.tsx'
import type { ListKind } from './list-calls.ts'
import { type Listed, ListedTable } from './listed-table.tsx'
import { listTexts } from './texts.ts'

/** The differences between a list and an earlier one. */
export function Differences({ ecosystemId, kind, number, since }: OfNumber & { since: string }) {
  const changes = useRead(() => loadChanges(ecosystemId, kind, number, since), [ecosystemId, kind, number, since])
  return (
    <Shown of={changes}>
      {({ added, removed, changed }) =>
        added.length + removed.length + changed.length === 0 ? (
          <Empty>{say(listTexts.same)}</Empty>
        ) : (
          <>
            <Part title={listTexts.added} rows={added} />
            <Part title={listTexts.removed} rows={removed} />
            <Part title={listTexts.changed} rows={changed} />
            <p class="soft">{say(listTexts.unsigned)}</p>
          </>
        )
      }
    </Shown>
  )
}

function Part({ title, rows }: { title: Text; rows: readonly Listed[] }) {
  return (
    <div class="part">
      <h3>{say(title, { count: numberText(rows.length) })}</h3>
      {rows.length > 0 && <ListedTable caption={title} rows={rows} />}
    </div>
  )
}

function loadChanges(ecosystemId: string, kind: ListKind, number: string, since: string) {
  const query = { since }
  return kind === 'vical'
    ? callApi(
        api.GET('/v1/ecosystems/{ecosystemId}/vicals/public/{vicalIssueId}/changes', {
          params: { path: { ecosystemId, vicalIssueId: number }, query },
        }),
      )
    : callApi(
        api.GET('/v1/ecosystems/{ecosystemId}/ricals/public/{ricalIssueId}/changes', {
          params: { path: { ecosystemId, ricalIssueId: number }, query },
        }),
      )
}
