import { dataOf } from '../../../../shared/client/client.ts'
import type { Command, Terminal } from '../command.ts'
import { fetchFrom } from '../fetch-from.ts'
import { getStoredProfile, type Profile, profileNameOf, profilesFile, removeProfile } from '../profiles.ts'
import { createSessionClient } from '../session-client.ts'
import { textOfError } from '../text-of-error.ts'

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'Remove a profile, and end its session at the service',
  details: [
    'A client keeps its secret at the service: replace it there if another person knows it.',
    'Its tokens are not stored, and end after 24 hours. "trustwright sessions end --client ID" ends them at once.',
  ],
  options: {},
  examples: ['trustwright logout', 'trustwright logout --profile production'],
  async run(call) {
    const { terminal } = call
    const profile = profileNameOf(terminal.env, call.profile)
    const hasEnded = await endSession(getStoredProfile(terminal.env, profile), terminal)
    removeProfile(terminal.env, profile)
    const file = profilesFile(terminal.env)
    const session = hasEnded ? ', and ended its session' : ''
    call.print({ profile, file, sessionEnded: hasEnded }, `Removed the profile "${profile}" from ${file}${session}`)
  },
}

/** Ends the session of a profile. Returns false if it has none, or if the service cannot end it. */
async function endSession(profile: Profile, { stderr }: Pick<Terminal, 'stderr'>): Promise<boolean> {
  if (!('cookie' in profile)) return false
  const { baseUrl, cookie } = profile
  try {
    const client = createSessionClient({ baseUrl, cookie, maxRetryMs: 0, fetch: fetchFrom(baseUrl, fetch) })
    await dataOf(client.DELETE('/console/session', { params: { header: { 'X-Console': '1' } } }))
    return true
  } catch (error) {
    stderr.write(
      `Warning: The session was not ended at the service: ${textOfError(error)}. It ends after 30 minutes without use.\n`,
    )
    return false
  }
}
