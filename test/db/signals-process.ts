import { openPostgresSignals } from '../../db/engine/postgres-signals.ts'

/** Listens to many channels at once and sends a signal on each. Prints `woken` when all of them have arrived. */
const signals = openPostgresSignals(process.argv[2] ?? '')
const waiting = new Set(Array.from({ length: 20 }, (_, number) => `channel ${number}`))

// Queries that come before the connection is open are not sent.
await new Promise<void>((resolve) => void signals.listen('first', () => resolve()))
for (const channel of [...waiting]) {
  signals.listen(channel, () => {
    waiting.delete(channel)
    if (waiting.size > 0) return
    console.log('woken')
    process.exit()
  })
  signals.send(channel)
}
