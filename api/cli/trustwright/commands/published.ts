import { dataOf } from '../../../../shared/client/client.ts'
import { type Command, withinMsOf } from '../command.ts'

export const listPublished: Command = {
  name: 'published list',
  usage: '',
  summary: 'List what is published, with the end of its validity',
  options: {
    ending: { type: 'string', value: 'DAYS', help: 'Only what ends within this time, such as 60d' },
  },
  examples: ['trustwright published list', 'trustwright published list --ending 60d'],
  async run(call) {
    const withinMs = withinMsOf(call)
    const { data } = await dataOf((await call.client()).GET('/v1/overview/validity'))
    const ending = data.filter(({ secondsLeft }) => secondsLeft * 1000 <= withinMs)
    const width = Math.max(0, ...ending.map(({ kind }) => kind.length))
    call.print(ending, ending.map(({ kind, endsAt }) => `${kind.padEnd(width)}  ${endsAt}`).join('\n'))
  },
}
