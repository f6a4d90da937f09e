import { parentPort } from 'node:worker_threads'
import { type ListToRead, readIntegratedList } from './read-integrated-list.ts'

/** A thread of its own for one list: what it takes of time and memory ends with it. */
parentPort?.once('message', (asked: ListToRead) => parentPort?.postMessage(readIntegratedList(asked)))
