import { GCProfiler, getHeapStatistics } from 'node:v8'

/**
 * Loaded into the processes of the service with `--import`. On the message `countAllocations` it begins to count what the main thread
 * allocates on the heap. On the next such message it answers with the bytes. V8 has no such counter. The heap grows only by allocations
 * and shrinks only in garbage collections, whose sizes the profiler records. Buffers are not on the heap.
 */
let profiler: GCProfiler | undefined
let usedAtStart = 0

process.on('message', (message) => {
  if (message !== 'countAllocations') return
  const allocated = profiler && allocatedSince(usedAtStart, profiler)
  profiler = profiler ? undefined : new GCProfiler()
  usedAtStart = getHeapStatistics().used_heap_size
  profiler?.start()
  process.send?.({ allocated })
})
// The channel does not keep the process running.
process.channel?.unref()

function allocatedSince(start: number, running: GCProfiler): number {
  const now = getHeapStatistics().used_heap_size
  let [allocated, used] = [0, start]
  for (const { beforeGC, afterGC } of running.stop().statistics) {
    allocated += beforeGC.heapStatistics.usedHeapSize - used
    used = afterGC.heapStatistics.usedHeapSize
  }
  return allocated + now - used
}
