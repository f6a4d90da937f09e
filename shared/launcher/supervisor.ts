import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './startup-error.ts'

export interface ProcessDefinition {
  name: string
  command: string
  env: NodeJS.ProcessEnv
  /** The time limit for its end, from the start of stopping. Processes with a lower limit are stopped before the others. */
  stopWithinMs: number
  /** Written to its standard input. */
  input?: string
  /** Called for each message that it sends over its channel. */
  onMessage?: (message: unknown) => void
  /** Hides its standard output. */
  quiet?: boolean
}

export interface Supervisor {
  /** Starts a process that must not end. If it ends, `failure` rejects. */
  start(definition: ProcessDefinition): void
  /** Runs a command. Resolves with the last message that it sent over its channel. Throws StartupError if it fails. */
  run(definition: ProcessDefinition): Promise<unknown>
  /** Never resolves. Rejects with a StartupError that names the process. */
  failure: Promise<never>
  /** Names of the processes that run. */
  running(): string[]
  isStopping(): boolean
  stop(): Promise<void>
}

interface Child extends ProcessDefinition {
  process: ChildProcess
  /** Resolves with a description of its end. */
  ended: Promise<string>
  /** Resolves with its last message when its channel is closed. */
  sent: Promise<unknown>
}

/**
 * Runs child processes. Each has a separate process group, so that Ctrl-C in a terminal reaches only this process, which stops the
 * others in order. Each has a channel to this process, so that it notices the end of this process.
 */
export function createSupervisor(): Supervisor {
  const children = new Set<Child>()
  const { promise: failure, reject } = Promise.withResolvers<never>()
  failure.catch(() => undefined) // may reject before a caller awaits it
  let stopping = false
  process.on('exit', () => {
    for (const child of children) child.process.kill('SIGTERM') // the exit handler cannot wait for the children
  })

  function launch(definition: ProcessDefinition): Child {
    if (stopping) throw new Error(`The process "${definition.name}" cannot start: the supervisor is stopping.`)
    const child = spawnChild(definition)
    children.add(child)
    void child.ended.finally(() => children.delete(child))
    return child
  }

  return {
    failure,
    start(definition) {
      const { name, ended } = launch(definition)
      void ended.then(
        (how) => stopping || reject(new StartupError(`The process "${name}" ${how}. All other processes are stopped.`)),
      )
    },
    async run(definition) {
      const { ended, sent } = launch(definition)
      const how = await ended
      if (how !== success) throw new StartupError(`"${definition.command}" ${how}.`)
      return sent
    },
    running: () => [...children].map(({ name }) => name),
    isStopping: () => stopping,
    async stop() {
      stopping = true
      const startedAt = Date.now()
      for (const [stopWithinMs, group] of byDeadline(children)) {
        await end(group, startedAt + stopWithinMs - Date.now())
      }
    },
  }
}

const success = 'ended with exit code 0'

function spawnChild(definition: ProcessDefinition): Child {
  const { command, env, input, quiet, onMessage } = definition
  const [file = '', ...args] = command.split(/\s+/)
  const stdin = input === undefined ? 'ignore' : 'pipe'
  const stdout = quiet ? 'ignore' : 'inherit'
  const child = spawn(file, args, { env, detached: true, stdio: [stdin, stdout, 'inherit', 'ipc'] })
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.once('error', (error) => resolve(`could not be started (${error.message})`))
  child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`))
  if (onMessage) child.on('message', onMessage)
  child.stdin?.on('error', () => undefined) // the process ended before it read its input
  child.stdin?.end(input)
  return { ...definition, process: child, ended, sent: lastSent(child) }
}

/** Waits for the end of the channel, because messages can arrive after the exit event. */
function lastSent(child: ChildProcess): Promise<unknown> {
  let last: unknown
  child.on('message', (message) => {
    last = message
  })
  return new Promise((resolve) => child.once('disconnect', () => resolve(last)))
}

function byDeadline(children: Iterable<Child>): [stopWithinMs: number, group: Child[]][] {
  return [...Map.groupBy(children, ({ stopWithinMs }) => stopWithinMs)].sort(([a], [b]) => a - b)
}

async function end(group: Child[], withinMs: number): Promise<void> {
  const allEnded = Promise.all(group.map(({ ended }) => ended))
  for (const child of group) child.process.kill('SIGTERM')
  await Promise.race([allEnded, sleep(Math.max(0, withinMs), undefined, { ref: false })])
  for (const child of group) child.process.kill('SIGKILL') // has no effect on a process that has ended
  await allEnded
}
