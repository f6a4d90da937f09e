import type { CeremonyKey, CeremonyKeys } from './ceremony-keys.ts'
import { type CeremonySession, labelOf, WrongItem } from './ceremony-session.ts'

/**
 * Returns the key of an item. Makes it once: the plan is recorded before the key exists, and after an interruption the key is searched by its
 * label. Throws an `WrongItem` if the provider has a key that this ceremony did not plan.
 */
export async function makeKey(session: CeremonySession, id: string): Promise<CeremonyKey> {
  const { keys, recorder } = session
  const label = labelOf(session, id)
  const existing = await keys.find(label)
  const created = recorder.find('key created', id)
  if (created) {
    if (existing && spkiOf(existing) === created.publicKey) return existing
    throw new WrongItem(
      '',
      `The transcript has the key "${label}", but ${keys.place} does not. Start again in a new folder.`,
    )
  }
  const isPlanned = recorder.find('key planned', id) !== undefined
  if (existing && !isPlanned)
    throw new WrongItem(
      '',
      `${keys.place} has the key "${label}" of an earlier run of this ceremony. Continue that run in its folder, or destroy the key.`,
    )
  if (!isPlanned) recorder.append({ step: 'key planned', id, label })
  const key = existing ?? (await generateKey(keys, label, isPlanned))
  recorder.append({ step: 'key created', id, publicKey: spkiOf(key), handle: key.handle })
  return key
}

/**
 * Makes a key after a search. If a run is continued, the library of the interrupted one can finish the key after the search, or have stored
 * only the public part.
 */
export async function generateKey(keys: CeremonyKeys, label: string, isContinued: boolean): Promise<CeremonyKey> {
  try {
    return await keys.generate(label)
  } catch (error) {
    if (!isContinued) throw error
    const key = await keys.find(label)
    if (key) return key
    await keys.destroy(label)
    return keys.generate(label)
  }
}

/** The public key: SPKI in base64url. */
export function spkiOf({ publicKey }: Pick<CeremonyKey, 'publicKey'>): string {
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')
}
