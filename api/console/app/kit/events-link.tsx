import { say } from './language.ts'
import { mayOpen } from './screen-needs.ts'
import { commonTexts } from './texts.ts'
import { to } from './url-state.ts'

/** A link to the changes of an object, for those who may read events. */
export function EventsLink({ of: objectId }: { of: string }) {
  if (!mayOpen('/events')) return null
  return (
    <a class="button" href={to('/events', { objectId })}>
      {say(commonTexts.events)}
    </a>
  )
}
