/** Runs work of one name one after another, in the order in which it came; work of another name does not wait for it. */
export type KeyedMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()
  return async (name, work) => {
    const before = last.get(name) ?? Promise.resolve()
    const turn = before.then(work, work)
    last.set(name, turn)
    try {
      return await turn
    } finally {
      if (last.get(name) === turn) last.delete(name)
    }
  }
}
