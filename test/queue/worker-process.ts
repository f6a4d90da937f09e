import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo, type QueueAddress } from './connect.ts'

/**
 * A process of a test with two workers of a queue, which prints the id of each job that it starts. Its arguments are the address as JSON, and
 * the time in milliseconds after which a lock expires. A job with the name `hang` never ends.
 */
const address: QueueAddress = JSON.parse(process.argv[2] ?? '')
const lockDuration = Number(process.argv[3])
const { Worker, connection } = connectTo(address)
for (let worker = 0; worker < 2; worker++) {
  new Worker(
    address.queue,
    async ({ id, name }) => {
      process.stdout.write(`${id}\n`)
      if (name === 'hang') await sleep(2 ** 30)
    },
    { connection: connection(), prefix: address.prefix, concurrency: 4, lockDuration, stalledInterval: 300 },
  )
}
