import { api, callApi } from '../../kit/api.ts'
import { SaveButton } from '../../kit/download.tsx'
import { say } from '../../kit/language.ts'
import { Screen } from '../../kit/screen.tsx'
import { Empty, Shown } from '../../kit/states.tsx'
import { Pager } from '../../kit/table.tsx'
import { useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { eventCsv } from './csv.ts'
import { EventTable } from './event-table.tsx'
import { FilterForm, isFiltered, queryOf } from './filters.tsx'
import { eventTexts } from './texts.ts'

/** The events, the newest first. The events of one request are in chronological order. */
export default function Events() {
  const [query] = useQuery()
  const filter = queryOf(query)
  const events = useRead(() => callApi(api.GET('/v1/events', { params: { query: filter } })), [filter])
  const { requestId, objectId } = query
  return (
    <Screen title={say(eventTexts.events)}>
      <FilterForm key={JSON.stringify(query)} filters={query} />
      {objectId && <p class="note">{say(eventTexts.about, { id: objectId })}</p>}
      {requestId && <p class="note">{say(eventTexts.following, { id: requestId })}</p>}
      <Shown of={events}>
        {({ data, nextCursor }) => (
          <>
            {data.length > 0 ? (
              <>
                <div class="actions">
                  <SaveButton label={say(eventTexts.csv)} name="events.csv" text={eventCsv(data)} />
                </div>
                <EventTable
                  of={requestId ? data.toReversed() : data}
                  showsAll={requestId !== undefined || filter.show === 'all'}
                />
              </>
            ) : (
              <Empty>{say(whyNone(isFiltered(query), nextCursor))}</Empty>
            )}
            <Pager next={nextCursor} />
          </>
        )}
      </Shown>
    </Screen>
  )
}

/** Returns the text for an empty page. An empty page may have a next one, because the service searches in steps. */
function whyNone(isSome: boolean, nextCursor: string | undefined) {
  if (nextCursor) return eventTexts.noneOnPage
  return isSome ? eventTexts.noneSuch : eventTexts.none
}
