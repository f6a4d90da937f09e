import { parentPort } from 'node:worker_threads'

/**
 * The thread's side of `createThreads`: says that the thread is ready, then answers each input with one message. What `transferred`
 * names of an answer is handed over instead of copied.
 */
export function answerInputs<Input, Output>(
  answer: (input: Input) => Output | Promise<Output>,
  transferred: (output: Output) => ArrayBuffer[] = () => [],
): void {
  parentPort?.on('message', async (input: Input) => {
    const output = await answer(input)
    parentPort?.postMessage(output, transferred(output))
  })
  parentPort?.postMessage('ready')
}
