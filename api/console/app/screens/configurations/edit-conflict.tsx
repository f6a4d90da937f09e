import { useState } from 'preact/hooks'
import type { Profile } from '../../kit/configurations.ts'
import { Json } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import { sentences } from '../../kit/problem.ts'
import { Shown } from '../../kit/states.tsx'
import { useRead } from '../../kit/use-read.ts'
import { type Body, differences } from './body.ts'
import { bodyOfSaved, readConfiguration } from './operations.ts'
import { configurationTexts as own } from './texts.ts'

/** Shows the version that another user has saved meanwhile next to the typed version. The user chooses one of them. */
export function EditConflict(props: {
  profile: Profile
  id: string
  mine: Body
  etag: string | undefined
  /** Called with the chosen body and the ETag that it replaces. Without a body, the typed values stay. */
  take: (body: Body | undefined, etag: string | undefined) => void
}) {
  const { profile, id, mine, etag, take } = props
  const theirs = useRead(() => readConfiguration(profile, id), [profile, id])
  const [refused] = useState(etag)
  if (etag !== refused) return <p class="note">{say(own.chosen)}</p>
  return (
    <div class="problem" role="alert">
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
