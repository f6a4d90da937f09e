import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'

export interface LazyAnswer {
  /** Makes the answer again for the next client. */
  reset(): void
  end(): void
}

/**
 * Gives the workers of a run one answer on a socket at this path. `make` runs when the first client connects, because most runs of a few
 * files need no answer. After an error, `make` runs again for the next client.
 */
export async function offerLazily(path: string, make: () => Promise<string>): Promise<LazyAnswer> {
  let answer: Promise<string> | undefined
  const server = createServer(async (client) => {
    client.on('error', () => undefined)
    try {
      answer ??= make()
      client.end(await answer)
    } catch (error) {
      answer = undefined
      console.error(error)
      client.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    reset() {
      answer = undefined
    },
    end() {
      server.close()
      rmSync(path, { force: true })
    },
  }
}

/** Returns the answer of the socket at this path. Throws if there is none. The output of the run has the reason. */
export async function readAnswer(path: string): Promise<string> {
  const answer = await text(connect(path))
  if (answer === '') throw new Error(`no answer from ${path}`)
  return answer
}
