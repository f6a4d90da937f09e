import { say } from './language.ts'
import { managedObjects } from './managed.ts'
import { managedTexts } from './managed-texts.ts'

/** Says that files manage the object at a path of the API. Shows nothing for other objects. */
export function ManagedMark({ resource, isShort }: { resource: string; isShort?: boolean }) {
  const object = managedObjects.value.get(resource)
  if (!object) return null
  const { name } = object
  const sentence = say(object.isLocked ? managedTexts.locked : managedTexts.managed, { name })
  if (!isShort) return <p class="note">{sentence}</p>
  return (
    <small class="soft" title={sentence}>
      {say(managedTexts.byFiles)}
    </small>
  )
}
