import { parentPort } from 'node:worker_threads'

/**
 * Runs in a thread of `createThreads`. Reports that the thread is ready, and then answers each input with one message. `transferred`
 * returns the buffers of an answer that are moved and not copied.
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
