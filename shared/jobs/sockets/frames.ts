import type { Socket } from 'node:net'

/** The largest message. A larger request becomes a job. */
export const maxSocketMessageBytes = 16 * 1_024 * 1_024
/** The largest frame: a message with its tag. */
export const maxFrameBytes = maxSocketMessageBytes + 16
const lengthBytes = 4

/** Reads and writes frames on a connection: the length in four bytes, then the content. */
export interface Frames {
  write(content: Buffer): void
  /** Sets the limit of the frames that are read. */
  limit(bytes: number): void
}

/** Calls `onFrame` with the content of each frame. Destroys the socket at a frame above the limit, and if `onFrame` throws. */
export function createFrames(socket: Socket, limitBytes: number, onFrame: (content: Buffer) => void): Frames {
  let limit = limitBytes
  let chunks: Buffer[] = []
  let received = 0

  /** Returns the first bytes, and leaves them in the buffer. */
  function first(bytes: number): Buffer {
    const [chunk] = chunks
    if (chunk && chunk.length >= bytes) return chunk
    const all = Buffer.concat(chunks)
    chunks = [all]
    return all
  }

  /** Returns the content of the next frame. Returns undefined until all of it was received. */
  function next(): Buffer | undefined {
    if (received < lengthBytes) return undefined
    const length = first(lengthBytes).readUInt32BE(0)
    if (length > limit) throw new Error('The frame is too large.')
    const end = lengthBytes + length
    if (received < end) return undefined
    const bytes = first(end)
    received -= end
    chunks = received > 0 ? [bytes.subarray(end), ...chunks.slice(1)] : []
    return bytes.subarray(lengthBytes, end)
  }

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    try {
      for (let frame = next(); frame && !socket.destroyed; frame = next()) onFrame(frame)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined)
    }
  })
  return {
    write(content) {
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(content.length)
      socket.cork()
      socket.write(length)
      socket.write(content)
      socket.uncork()
    },
    limit(bytes) {
      limit = bytes
    },
  }
}
