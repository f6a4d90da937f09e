import { say } from './language.ts'
import { hasRole } from './session.ts'
import { commonTexts } from './texts.ts'
import { to } from './url-state.ts'

/** A link to the changes of an object, for those who may read events. */
export function EventsLink({ of: objectId }: { of: string }) {
  if (!hasRole('auditor', 'viewer')) return null
  return (
    <a class="button" href={to('/events', { objectId })}>
      {say(commonTexts.events)}
    </a>
  )
}
