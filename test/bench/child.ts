import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A child process of the benchmark. It answers one message at a time and ends together with the benchmark. */
export interface Child {
  pid: number
  /** The first message of the process. */
  greeting: unknown
  request(message: unknown): Promise<unknown>
  stop(): void
}

export async function startChild(file: string, env: Record<string, string> = {}): Promise<Child> {
  const process = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...globalThis.process.env, NODE_ENV: 'production', ...env },
  })
  const greeting = await nextMessage(process)
  if (process.pid === undefined) throw new Error(`${file} did not start`)
  return {
    pid: process.pid,
    greeting,
    request(message) {
      const answer = nextMessage(process)
      process.send(message as never)
      return answer
    },
    stop: () => process.disconnect(),
  }
}

async function nextMessage(process: ChildProcess): Promise<unknown> {
  const gone = new AbortController()
  const died = () => gone.abort(new Error('a helper process of the benchmark ended'))
  process.once('exit', died)
  try {
    const [message] = await once(process, 'message', { signal: gone.signal })
    return message
  } finally {
    process.off('exit', died)
  }
}
