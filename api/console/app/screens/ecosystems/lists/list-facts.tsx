import { useState } from 'preact/hooks'
import { ActButton } from '../../../kit/act-button.tsx'
import { Facts } from '../../../kit/elements.tsx'
import { say } from '../../../kit/language.ts'
import { TimeLeft } from '../../../kit/time-left.tsx'
import { to } from '../../../kit/url-state.ts'
import { Ago, When } from '../../../kit/when.tsx'
import { kindNames, type ListKind, type ListState, publishList } from './list-calls.ts'
import { nextAutomatic, nextUpdateOf } from './schedule.ts'
import { listTexts } from './texts.ts'

interface OfLists {
  ecosystemId: string
  kind: ListKind
  state: ListState
}

/** Shows the publisher, the last list, and when the next list is due and published. */
export function ListFacts({ ecosystemId, kind, state }: OfLists) {
  const { configuration, issues } = state
  const last = issues[0]
  return (
    <>
      <Facts
        of={[
          [listTexts.provider, configuration?.provider],
          [
            listTexts.last,
            last && (
              <>
                <a href={to(`/ecosystems/${ecosystemId}/${kind}s/${last.number}`)}>
                  {kindNames[kind]} {last.number}
                </a>
                , <Ago at={last.date} />
              </>
            ),
          ],
          [listTexts.due, last && <Due date={last.date} until={nextUpdateOf(last)} />],
          [listTexts.next, configuration && <Next state={state} />],
        ]}
      />
      <LastFailure state={state} />
    </>
  )
}

function Due({ date, until }: { date: string; until: string }) {
  return (
    <>
      <When at={until} />
      <br />
      <TimeLeft from={date} until={until} warnDays={14} />
    </>
  )
}

function Next({ state: { configuration, issues } }: { state: ListState }) {
  const automatic = configuration?.autoPublish
  if (!automatic?.enabled) return <>{say(listTexts.byHand)}</>
  const next = nextAutomatic(automatic.frequency, issues)
  return (
    <>
      {say(listTexts[automatic.frequency])}:{' '}
      {automatic.lastFailure ? say(listTexts.retries) : next === 'now' ? say(listTexts.soon) : <When at={next} />}
    </>
  )
}

function LastFailure({ state: { configuration } }: { state: ListState }) {
  const failure = configuration?.autoPublish?.lastFailure
  if (!failure) return null
  return (
    <div class="problem">
      <p>
        {say(listTexts.lastFailure)}, <Ago at={failure.at} />
      </p>
      <p class="soft">{failure.reason}</p>
    </div>
  )
}

/** Publishes a list of the current state and shows its number. */
export function PublishButton({
  ecosystemId,
  kind,
  onDone,
}: {
  ecosystemId: string
  kind: ListKind
  onDone: () => void
}) {
  const [number, setNumber] = useState<number>()
  const done = (published: number) => {
    setNumber(published)
    onDone()
  }
  return (
    <>
      <ActButton
        calls="publishVical"
        label={say(listTexts.publish)}
        isPrimary
        act={() => publishList(ecosystemId, kind)}
        onDone={done}
      />
      {number !== undefined && (
        <p class="note" role="status">
          <a href={to(`/ecosystems/${ecosystemId}/${kind}s/${number}`)}>
            {say(listTexts.published, { name: kindNames[kind], number })}
          </a>
        </p>
      )}
    </>
  )
}
