import { Badge, Json, type Mood } from '../../kit/elements.tsx'
import { say } from '../../kit/language.ts'
import type { CheckRow, Verified } from './stages.ts'
import { verifyTexts } from './verify-texts.ts'

const moods: Record<CheckRow['result'], Mood> = { passed: 'good', failed: 'bad', skipped: 'quiet' }

/** The result of a verification: each check, and the content of the credential. */
export function Result({ of: { verified, checks, content } }: { of: Verified }) {
  return (
    <section class="verify-result">
      <div class={verified ? 'note' : 'problem'} role="status">
        <p>
          <strong>{say(verified ? verifyTexts.verified : verifyTexts.notVerified)}</strong>
        </p>
        <ul class="checks">
          {checks.map(({ name, result, message, clause }) => (
            <li key={name.id}>
              <Badge mood={moods[result]}>{say(verifyTexts[result])}</Badge> {say(name)}{' '}
              {clause && <span class="soft">{clause}</span>}
              {message && <small class="block">{message}</small>}
            </li>
          ))}
        </ul>
      </div>
      {content !== undefined && (
        <>
          <h2>{say(verifyTexts.content)}</h2>
          <Json value={content} />
        </>
      )}
    </section>
  )
}
