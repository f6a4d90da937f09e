import { registerHooks } from 'node:module'

/** Analytics events are never stored: the module that stores them does nothing. */
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/db/record-events.ts')) return nextLoad(url, context)
    const source = `
      export const recordEvents = async () => {}, recordOneByOne = recordEvents
      export const recordWithNext = async (_, take) => void take()`
    return { format: 'module', source, shortCircuit: true }
  },
})
