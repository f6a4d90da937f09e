/** Returns a function that collects the values of a tick of the event loop, and sends them together. */
export function sendInBatches<Value>(send: (values: Value[]) => void): (value: Value) => void {
  let collected: Value[] = []
  const flush = () => {
    const values = collected
    collected = []
    send(values)
  }
  return (value) => {
    if (collected.push(value) === 1) setImmediate(flush)
  }
}
