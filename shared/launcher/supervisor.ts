import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupProblem } from './trouble.ts'

export interface ProcessDefinition {
  name: string
  command: string
  env: NodeJS.ProcessEnv
  /** When it must be gone, counted from the moment stopping begins. Those with less are stopped before the others. */
  stopWithinMs: number
  /** Written to its standard input. */
  input?: string
  /** What it says on standard output is not shown. */
  quiet?: boolean
}

export interface Supervisor {
  /** Starts what must stay; when it ends by itself, `failure` rejects. */
  start(definition: ProcessDefinition): void
  /** Runs what ends by itself; resolves with what it sent by its channel, the last of it. Throws Trouble when it fails. */
  run(definition: ProcessDefinition): Promise<unknown>
  /** Never resolves; rejects with Trouble that names the process. */
  failure: Promise<never>
  /** Names of the processes that run. */
  running(): string[]
  isStopping(): boolean
  stop(): Promise<void>
}

interface Child extends ProcessDefinition {
  process: ChildProcess
  /** How it ended, in words. */
  ended: Promise<string>
  /** What it sent last, once its channel is closed. */
  sent: Promise<unknown>
}

/**
 * Runs child processes. Each is in a process group of its own, so that Ctrl-C in a terminal reaches this process alone and
 * the order of stopping is ours; each has a channel to this process, so that it notices when this one is gone.
 */
export function createSupervisor(): Supervisor {
  const children = new Set<Child>()
  const { promise: failure, reject } = Promise.withResolvers<never>()
  failure.catch(() => undefined) // may fail before anybody looks
  let stopping = false
  process.on('exit', () => {
    for (const child of children) child.process.kill('SIGTERM') // there is no time for more than asking
  })

  function launch(definition: ProcessDefinition): Child {
    if (stopping) throw new Error(`${definition.name} is not started any more`)
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
        (how) => stopping || reject(new StartupProblem(`The process "${name}" ${how}; everything else is stopped.`)),
      )
    },
    async run(definition) {
      const { ended, sent } = launch(definition)
      const how = await ended
      if (how !== success) throw new StartupProblem(`"${definition.command}" ${how}.`)
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
  const { command, env, input, quiet } = definition
  const [file = '', ...args] = command.split(/\s+/)
  const stdin = input === undefined ? 'ignore' : 'pipe'
  const stdout = quiet ? 'ignore' : 'inherit'
  const child = spawn(file, args, { env, detached: true, stdio: [stdin, stdout, 'inherit', 'ipc'] })
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.once('error', (error) => resolve(`could not be started (${error.message})`))
  child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`))
  child.stdin?.on('error', () => undefined) // it ended before it read; `ended` tells
  child.stdin?.end(input)
  return { ...definition, process: child, ended, sent: lastSent(child) }
}

/** What was sent may come after the news that the process has ended. */
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
  for (const child of group) child.process.kill('SIGKILL') // does nothing to one that has ended
  await allEnded
}
