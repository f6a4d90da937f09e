import type { Command } from '../command.ts'
import { profileNameOf, storedProfiles } from '../profiles.ts'

export const listProfiles: Command = {
  name: 'profiles list',
  usage: '',
  summary: 'List the stored profiles with their addresses. * is the one that commands use',
  options: {},
  examples: ['trustwright profiles list', 'trustwright profiles list --json'],
  async run(call) {
    const { env } = call.terminal
    const used = profileNameOf(env, call.profile)
    const profiles = Object.entries(storedProfiles(env))
    const widthOf = (texts: string[]) => Math.max(...texts.map(({ length }) => length))
    const [names, addresses] = [
      widthOf(profiles.map(([name]) => name)),
      widthOf(profiles.map(([, each]) => each.baseUrl)),
    ]
    for (const [name, profile] of profiles) {
      const { baseUrl } = profile
      const clientId = 'clientId' in profile ? profile.clientId : undefined
      const who = clientId === undefined ? 'session of a person' : `client ${clientId}`
      const facts = { profile: name, baseUrl, ...(clientId !== undefined && { clientId }), isUsed: name === used }
      call.print(facts, `${name === used ? '*' : ' '} ${name.padEnd(names)}  ${baseUrl.padEnd(addresses)}  ${who}`)
    }
  },
}
