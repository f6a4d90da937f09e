import { useState } from 'preact/hooks'
import { Json } from '../../kit/bits.tsx'
import { say } from '../../kit/language.ts'
import { sentences } from '../../kit/problem.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { type Body, differences } from './body.ts'
import { bodyOfSaved, type Profile, readConfiguration } from './operations.ts'
import { configurationTexts as own } from './texts.ts'

/** What somebody else has saved meanwhile, beside what is typed: one of the two goes on from here. */
export function Theirs(props: {
  profile: Profile
  id: string
  mine: Body
  etag: string | undefined
  /** With the body to go on with, or without one to keep what is typed, and the version that it is to replace. */
  take: (body: Body | undefined, etag: string | undefined) => void
}) {
  const { profile, id, mine, etag, take } = props
  const theirs = useRead(() => readConfiguration(profile, id), [profile, id])
  const [refused] = useState(etag)
  if (etag !== refused) return <p class="note">{say(own.chosen)}</p>
  return (
    <div class="trouble" role="alert">
      <p>{say(sentences.changed)}</p>
      <Shown of={theirs}>
        {(saved) => {
          const body = bodyOfSaved(saved)
          return (
            <>
              <p>
                {say(own.differIn)} {differences(mine, body).join(', ') || '–'}
              </p>
              <div class="actions spaced">
                <button type="button" onClick={() => take(body, theirs.etag)}>
                  {say(own.takeTheirs)}
                </button>
                <button type="button" onClick={() => take(undefined, theirs.etag)}>
                  {say(own.keepMine)}
                </button>
              </div>
              <div class="sides">
                <section>
                  <h2>{say(own.theirs)}</h2>
                  <Json value={body} />
                </section>
                <section>
                  <h2>{say(own.yours)}</h2>
                  <Json value={mine} />
                </section>
              </div>
            </>
          )
        }}
      </Shown>
    </div>
  )
}
