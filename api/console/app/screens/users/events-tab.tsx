import { api, callApi } from '../../kit/api.ts'
import { say } from '../../kit/language.ts'
import { Empty, Shown } from '../../kit/states.tsx'
import { Pager } from '../../kit/table.tsx'
import { to, useQuery } from '../../kit/url-state.ts'
import { useRead } from '../../kit/use-read.ts'
import { EventTable } from '../events/event-table.tsx'
import { eventTexts } from '../events/texts.ts'
import { userTexts } from './texts.ts'

/** The changes and failures of a user, one row for each request. */
export function EventsTab({ id }: { id: string }) {
  const [{ cursor }] = useQuery()
  const query = { objectId: id, show: 'changes' as const, limit: 50, ...(cursor && { cursor }) }
  const events = useRead(() => callApi(api.GET('/v1/events', { params: { query } })), [query])
  return (
    <Shown of={events}>
      {({ data, nextCursor }) => (
        <>
          {data.length > 0 ? (
            <EventTable of={data} showsAll={false} />
          ) : (
            <Empty>{say(nextCursor ? eventTexts.noneOnPage : eventTexts.noneSuch)}</Empty>
          )}
          <Pager next={nextCursor} />
          <p>
            <a href={to('/events', { objectId: id })}>{say(userTexts.allEvents)}</a>
          </p>
        </>
      )}
    </Shown>
  )
}
