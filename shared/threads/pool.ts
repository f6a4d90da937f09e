import { startThread, type Thread } from './run-input.ts'

export interface PoolRules {
  /** The module of a thread, which calls `answerInputs`. */
  file: URL
  /** An idle thread ends after this time. Without it, idle threads stay. */
  restMs?: number
  /** From the first input on, keeps one idle thread in addition to the busy ones, while there are fewer than this. 0 keeps none. */
  maxPrepared?: number
}

/** Threads of one module. The caller limits the number of busy threads. */
export interface Pool {
  /** Returns an idle thread, or a new one. */
  take(): Thread
  /** Keeps a thread for the next input. */
  keep(thread: Thread): void
  end(thread: Thread): Promise<unknown>
}

export function createPool({ file, restMs, maxPrepared = 0 }: PoolRules): Pool {
  const idle: { thread: Thread; timer: NodeJS.Timeout | undefined }[] = []
  let busy = 0

  function start(): Thread {
    const thread = startThread(file)
    thread.worker.once('exit', () => forget(thread))
    return thread
  }

  function forget(thread: Thread): void {
    const at = idle.findIndex((each) => each.thread === thread)
    if (at >= 0) idle.splice(at, 1)
  }

  function rest(thread: Thread): void {
    const endIdle = () => {
      forget(thread)
      void thread.worker.terminate()
    }
    idle.push({ thread, timer: restMs === undefined ? undefined : setTimeout(endIdle, restMs).unref() })
  }

  function prepareNext(): void {
    if (idle.length === 0 && busy < maxPrepared) rest(start())
  }

  return {
    take() {
      const { thread = start(), timer } = idle.pop() ?? {}
      clearTimeout(timer)
      busy++
      prepareNext()
      return thread
    },
    keep(thread) {
      busy--
      rest(thread)
    },
    async end(thread) {
      await thread.worker.terminate()
      busy--
      prepareNext()
    },
  }
}
