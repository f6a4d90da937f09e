import { type Command, choiceOf } from '../command.ts'
import { configurationsOf, lineOfConfiguration } from '../configuration-ids.ts'
import { profilesOfCredentials } from '../credential-filter.ts'

export const printConfigurations: Command = {
  name: 'configurations list',
  usage: '',
  summary: 'List the credential configurations: id, profile, name and type',
  details: ['Commands with --configuration take an id, a name or a type.'],
  options: {
    'credential-profile': {
      type: 'string',
      value: 'PROFILE',
      choices: profilesOfCredentials,
      help: 'Only configurations of this profile',
    },
  },
  examples: ['trustwright configurations list', 'trustwright configurations list --credential-profile mobile --json'],
  async run(call) {
    const profile = choiceOf(call, 'credential-profile', profilesOfCredentials)
    const all = configurationsOf(await call.client(), profile)
    for await (const configuration of all) call.print(configuration, lineOfConfiguration(configuration))
  },
}
